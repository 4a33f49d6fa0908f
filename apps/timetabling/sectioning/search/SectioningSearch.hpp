#pragma once

#include <utility>

#include <ferry/apps/timetabling/search/SearchProblem.hpp>
#include <ferry/apps/timetabling/sectioning/model/Problem.hpp>

namespace timetabling::sectioning {

/// Timetabling with student sectioning behind the interface that the parallel part uses.
/// All classes are placed. A timetable with violations is a result too, since it may be near a feasible one.
class SectioningSearch final : public SearchProblem {
public:
    explicit SectioningSearch(Instance instance) : problem_(std::move(instance)) {}

    std::optional<Infeasibility> findInfeasibility() const override;
    std::optional<Infeasibility> findInfeasibility(const Slots& best) const override;
    int populationFor(int slaveCount) const override;
    bool acceptsViolations() const override { return true; }
    std::string describeViolations(const Slots& slots) const override;
    void check(const Slots& slots) const override;
    Individual construct(std::uint64_t seed, const Budget& budget, const StopHook& stop) const override;
    SearchResult anneal(const Slots& slots, const SearchOrder& order, const StopHook& stop) const override;
    SearchResult improve(const Slots& child, const SearchOrder& order, const StopHook& stop) const override;
    Slots cross(const Slots& first, const Slots& second, Random& random) const override;
    bool areAlike(const Slots& a, const Slots& b) const override;

private:
    Problem problem_;
};

}    // namespace timetabling::sectioning
