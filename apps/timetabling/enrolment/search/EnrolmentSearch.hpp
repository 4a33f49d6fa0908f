#pragma once

#include <utility>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

namespace timetabling::enrolment {

/// Post-enrolment timetabling behind the interface that the parallel part uses.
/// Timetables break no rule, but may leave events out. The violations of an individual are its distance to feasibility.
class EnrolmentSearch final : public SearchProblem {
public:
    explicit EnrolmentSearch(Instance instance) : problem_(std::move(instance)) {}

    std::optional<Infeasibility> findInfeasibility() const override;
    std::optional<Infeasibility> findInfeasibility(const Slots& best) const override;
    int populationFor(int slaveCount) const override;
    bool acceptsViolations() const override { return problem_.instance().hasSecondRules || problem_.instance().leavesOut; }
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

}    // namespace timetabling::enrolment
