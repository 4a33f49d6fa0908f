#pragma once

#include <memory>
#include <optional>
#include <string>

#include <ferry/apps/timetabling/curriculum/search/CurriculumSearch.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

namespace timetabling::curriculum {

/// A curriculum-based problem whose timetables leave some lectures out, always the same ones. All other lectures are searched as ever.
///
/// Slots have an entry for each lecture of the whole problem. The lectures that are left out have the slot -1. They are the last
/// ones of their courses.
class RestSearch final : public SearchProblem {
public:
    /// Instance::rest says which lectures are left out.
    /// Errors: std::invalid_argument for a rest that does not fit the instance.
    explicit RestSearch(Instance instance);

    std::optional<Infeasibility> findInfeasibility() const override { return std::nullopt; }
    std::optional<Infeasibility> findInfeasibility(const Slots& /*best*/) const override { return std::nullopt; }
    int populationFor(int slaveCount) const override { return inner_->populationFor(slaveCount); }
    bool acceptsViolations() const override { return false; }
    std::string describeViolations(const Slots& slots) const override;
    void check(const Slots& slots) const override;
    /// Returns the timetable Instance::rest when a short search finds no other one.
    Individual construct(std::uint64_t seed, const Budget& budget, const StopHook& stop) const override;
    SearchResult anneal(const Slots& slots, const SearchOrder& order, const StopHook& stop) const override;
    SearchResult improve(const Slots& child, const SearchOrder& order, const StopHook& stop) const override;
    Slots cross(const Slots& first, const Slots& second, Random& random) const override;
    bool areAlike(const Slots& a, const Slots& b) const override;

private:
    /// Takes out the lectures that are left out.
    Slots toInner(const Slots& slots) const;
    /// Puts them back.
    Slots toWhole(const Slots& slots) const;
    Individual toWhole(Individual individual) const;
    SearchOrder toInner(const SearchOrder& order) const;

    Slots rest_;
    std::unique_ptr<const CurriculumSearch> inner_;
};

}    // namespace timetabling::curriculum
