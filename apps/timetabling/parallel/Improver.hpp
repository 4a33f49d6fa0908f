#pragma once

#include <chrono>
#include <memory>

#include <ferry/ferry.hpp>

#include <ferry/apps/timetabling/parallel/Messages.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

namespace timetabling {

/// What one slave does: builds timetables and improves them.
///
/// The problem is derived from the shared instance when the first task comes, and kept for the later ones. While it works, the slave
/// polls its connector every few milliseconds, so that it ends at once when the job does.
class Improver {
public:
    /// Tells the slaves of an application to work as improvers.
    static void serveIn(ferry::Slave& slave);

    /// Errors: NoFeasibleTimetable.
    ImprovedIndividual build(const BuildTask& request, ferry::Task& task);
    /// Errors: std::invalid_argument for slots that do not fit the problem.
    ImprovedIndividual improve(const ImproveTask& request, ferry::Task& task);

private:
    const SearchProblem& problemOf(ferry::Task& task);

    std::unique_ptr<const SearchProblem> problem_;    ///< null before the first task
};

}    // namespace timetabling
