#pragma once

#include <utility>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

namespace timetabling::curriculum {

/// Curriculum-based timetabling behind the interface that the parallel part uses.
class CurriculumSearch final : public SearchProblem {
public:
    explicit CurriculumSearch(Instance instance) : problem_(std::move(instance)) {}

    std::optional<Infeasibility> findInfeasibility() const override;
    std::optional<Infeasibility> findInfeasibility(const Slots& best) const override;
    int populationFor(int slaveCount) const override;
    bool acceptsViolations() const override { return false; }
    std::string describeViolations(const Slots& slots) const override;
    void check(const Slots& slots) const override;
    Individual construct(std::uint64_t seed, const Budget& budget, const StopHook& stop) const override;
    SearchResult anneal(const Slots& slots, const SearchOrder& order, const StopHook& stop) const override;
    SearchResult improve(const Slots& child, const SearchOrder& order, const StopHook& stop) const override;
    Slots cross(const Slots& first, const Slots& second, Random& random) const override;
    std::optional<LeastMoves> leastMoves(const Budget& budget, const StopHook& stop) const override;
    std::vector<FrontPoint> searchWithin(const Slots& slots, int mostMoved, const SearchOrder& order, const StopHook& stop) const override;
    std::optional<Slots> placeMost(std::uint64_t seed, const Budget& budget, const StopHook& stop) const override;
    LeastLeftOut leastLeftOut(int most, const Budget& budget, const StopHook& stop) const override;
    Slots fillIn(const Slots& slots) const override;
    bool areAlike(const Slots& a, const Slots& b) const override;

private:
    Problem problem_;
};

}    // namespace timetabling::curriculum
