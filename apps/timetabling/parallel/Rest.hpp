#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <ferry/ferry.hpp>

#include <ferry/apps/timetabling/problem/AnyProblem.hpp>
#include <ferry/apps/timetabling/search/EvolutionPlan.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

namespace timetabling {

/// Finds which lectures a timetable of the rest leaves out, where no timetable has all of them. An evolution makes it cheap afterwards.
class Rest {
public:
    /// 'options' has the time that is left, or the number of iterations.
    Rest(std::unique_ptr<const SearchProblem> problem, const EvolutionOptions& options) : problem_(std::move(problem)), options_(options) {}

    /// Has all slaves look for a timetable that leaves out as few lectures as possible, and then one slave for a proof.
    /// The instance is the one of the problem, and is shared with the slaves. Returns the instance that an evolution should search.
    /// 'known' is a timetable of the rest that an earlier run has found, or empty: it counts when no other one leaves out fewer lectures.
    /// Errors: NoFeasibleTimetable when no lecture at all can take place, or when pins leave no timetable.
    AnyInstance find(ferry::Master& master, AnyInstance instance, const Slots& known = {});

    /// Returns the timetable with the lectures that fit into it without a change of others.
    Slots completed(const Slots& slots) const { return problem_->fillIn(slots); }

    /// Says how far the number of lectures that are left out is proven, in one line.
    std::string sentence(const Slots& slots) const;
    /// Members for the report in JSON.
    std::string jsonMembers(const Slots& slots) const;

private:
    std::unique_ptr<const SearchProblem> problem_;    ///< the problem of all lectures
    EvolutionOptions options_;
    bool hasBound_ = false;    ///< false for post-enrolment instances
    int bound_ = 0;            ///< number of lectures that each timetable leaves out
};

}    // namespace timetabling
