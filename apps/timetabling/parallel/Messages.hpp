#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ferry/ferry.hpp>

#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/Infeasibility.hpp>

/// What master and slaves say to each other. The instance itself is shared with the slaves before the first task.

namespace timetabling {

/// A slave's answer: the best timetable that it found, and the work it took.
class ImprovedIndividual final : public ferry::Message {
public:
    FERRY_CLASS(timetabling::ImprovedIndividual)
    FERRY_FIELDS(individual, task, moves, conflictWeight, isInVain)
    Individual individual;
    std::int32_t task = 0;    ///< its number
    std::int64_t moves = 0;
    int conflictWeight = 0;    ///< of the task
    bool isInVain = false;     ///< the annealing of a build found nothing better without conflicts than what it began with
};

/// What a slave is at: sent when it begins a task, and now and then with the best timetable that it has come to.
class WorkReport final : public ferry::Message {
public:
    FERRY_CLASS(timetabling::WorkReport)
    FERRY_FIELDS(task, isBuild, individual)
    std::int32_t task = 0;    ///< its number
    bool isBuild = false;     ///< of a timetable from nothing; else it improves a child
    Individual individual;    ///< without slots: none yet
};

/// Build a feasible individual and anneal it from hot to cold.
class BuildTask final : public ferry::Message {
public:
    FERRY_CLASS(timetabling::BuildTask)
    using Reply = ImprovedIndividual;
    FERRY_FIELDS(seed, construction, annealing, conflictWeight, targetCost)
    std::uint64_t seed = 0;
    Budget construction;
    Budget annealing;
    int conflictWeight = 0;
    std::int64_t targetCost = 0;
};

/// Improve this child of two individuals.
class ImproveTask final : public ferry::Message {
public:
    FERRY_CLASS(timetabling::ImproveTask)
    using Reply = ImprovedIndividual;
    FERRY_FIELDS(seed, slots, annealing, conflictWeight, targetCost)
    std::uint64_t seed = 0;
    Slots slots;
    Budget annealing;
    int conflictWeight = 0;
    std::int64_t targetCost = 0;
};

/// A slave could not build a feasible timetable. The text says so in one line, in the names of the instance.
class NoFeasibleTimetable final : public ferry::Exception {
public:
    FERRY_EXCEPTION(timetabling::NoFeasibleTimetable)
    FERRY_FIELDS(reason, isProven, demands, isMinimal)
    NoFeasibleTimetable() = default;
    /// There is none.
    explicit NoFeasibleTimetable(const Infeasibility& proof)
        : ferry::Exception("no feasible timetable exists: " + proof.reason),
          reason(proof.reason),
          isProven(true),
          demands(proof.demands),
          isMinimal(proof.isMinimal) {}
    /// None was found, and this is what is wrong with the best attempt.
    explicit NoFeasibleTimetable(const std::string& violations)
        : ferry::Exception("no feasible timetable was found; the best attempt: " + violations),
          reason(violations) {}

    std::string reason;
    bool isProven = false;
    std::vector<std::string> demands;    ///< Infeasibility::demands
    bool isMinimal = true;               ///< Infeasibility::isMinimal
};

}    // namespace timetabling
