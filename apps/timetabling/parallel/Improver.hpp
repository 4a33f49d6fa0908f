#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include <ferry/ferry.hpp>

#include <ferry/apps/timetabling/parallel/Messages.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

namespace timetabling {

/// The work of one slave: builds timetables and improves them.
///
/// The slave derives the problem from the shared instance, and keeps it until the master shares another instance.
/// During its work, the slave polls its connector every few milliseconds. So the slave ends soon after the end of the job.
class Improver {
public:
    /// Defines the handlers of a slave that works as an improver.
    static void serveIn(ferry::Slave& slave);

    /// Errors: NoFeasibleTimetable.
    ImprovedIndividual build(const BuildTask& request, ferry::Task& task);
    /// Errors: std::invalid_argument for slots that do not fit the problem.
    ImprovedIndividual improve(const ImproveTask& request, ferry::Task& task);
    /// Errors: std::invalid_argument for slots that do not fit the problem, or that have moved more than the task allows.
    FrontPart searchWithin(const WithinTask& request, ferry::Task& task);

    /// Errors: NoFeasibleTimetable when the places of the pins leave no timetable.
    RestFound findRest(const RestTask& request, ferry::Task& task);

private:
    const SearchProblem& problemOf(ferry::Task& task);

    std::unique_ptr<const SearchProblem> problem_;    ///< null before the first task
    std::optional<Infeasibility> proof_;              ///< proof that the problem has no timetable
    bool isProofSought_ = false;                      ///< the search for the proof is over
    int version_ = 0;                                 ///< version of the shared instance of the problem
};

}    // namespace timetabling
