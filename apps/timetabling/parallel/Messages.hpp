#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ferry/ferry.hpp>

#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/Infeasibility.hpp>
#include <ferry/apps/timetabling/search/MoveFront.hpp>

/// The messages between master and slaves. The instance itself is shared with the slaves before the first task.

namespace timetabling {

/// A slave's answer: the best timetable that the slave found, and the number of moves.
class ImprovedIndividual final : public ferry::Message {
public:
    FERRY_CLASS(timetabling::ImprovedIndividual)
    FERRY_FIELDS(individual, task, moves, conflictWeight, isInVain)
    Individual individual;
    std::int32_t task = 0;    ///< number of the task
    std::int64_t moves = 0;
    int conflictWeight = 0;    ///< conflict weight of the task
    bool isInVain = false;     ///< the annealing of a build found no timetable without conflicts that is better than its start
};

/// The present work of a slave. Sent at the begin of a task, and now and then with the best timetable so far.
class WorkReport final : public ferry::Message {
public:
    FERRY_CLASS(timetabling::WorkReport)
    FERRY_FIELDS(task, version, isBuild, individual)
    std::int32_t task = 0;       ///< number of the task
    std::int32_t version = 0;    ///< version of the shared instance
    bool isBuild = false;        ///< true: the task builds a timetable from nothing; false: the task improves a child
    Individual individual;       ///< without slots: no timetable yet
};

/// Asks a slave to build a feasible individual and to anneal it from hot to cold.
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

/// Asks a slave to improve this child of two individuals.
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

/// A slave's answer: a timetable of the rest, and a number of lectures that each timetable leaves out.
class RestFound final : public ferry::Message {
public:
    FERRY_CLASS(timetabling::RestFound)
    FERRY_FIELDS(slots, bound)
    Slots slots;    ///< -1 for a lecture that is left out; empty: no timetable was found
    std::int32_t bound = 0;
};

/// Asks a slave for a timetable that leaves out as few lectures as possible.
class RestTask final : public ferry::Message {
public:
    FERRY_CLASS(timetabling::RestTask)
    using Reply = RestFound;
    FERRY_FIELDS(seed, slots, budget)
    std::uint64_t seed = 0;
    Slots slots;    ///< empty: search; else a timetable of the rest: prove that no other one leaves out fewer
    Budget budget;
};

/// A slave's answer: the cheapest timetables for numbers of moves.
class FrontPart final : public ferry::Message {
public:
    FERRY_CLASS(timetabling::FrontPart)
    FERRY_FIELDS(points)
    std::vector<FrontPoint> points;
};

/// Asks a slave for cheap timetables with at most mostMoved moves. The search begins with `slots`, which has no more.
class WithinTask final : public ferry::Message {
public:
    FERRY_CLASS(timetabling::WithinTask)
    using Reply = FrontPart;
    FERRY_FIELDS(seed, slots, mostMoved, annealing)
    std::uint64_t seed = 0;
    Slots slots;
    std::int32_t mostMoved = 0;
    Budget annealing;
};

/// Thrown when a slave cannot build a feasible timetable. The text gives the reason in one line, with the names of the instance.
class NoFeasibleTimetable final : public ferry::Exception {
public:
    FERRY_EXCEPTION(timetabling::NoFeasibleTimetable)
    FERRY_FIELDS(reason, isProven, demands, isMinimal)
    NoFeasibleTimetable() = default;
    /// A proof shows that no feasible timetable exists.
    explicit NoFeasibleTimetable(const Infeasibility& proof)
        : ferry::Exception("no feasible timetable exists: " + proof.reason),
          reason(proof.reason),
          isProven(true),
          demands(proof.demands),
          isMinimal(proof.isMinimal) {}
    /// The search found no feasible timetable. `violations` describes the violations of the best attempt.
    explicit NoFeasibleTimetable(const std::string& violations)
        : ferry::Exception("no feasible timetable was found; the best attempt: " + violations),
          reason(violations) {}

    std::string reason;
    bool isProven = false;
    std::vector<std::string> demands;    ///< see Infeasibility::demands
    bool isMinimal = true;               ///< see Infeasibility::isMinimal
};

}    // namespace timetabling
