#pragma once

#include <exception>
#include <functional>

#include <ferry/framework/schedule/SlaveGroups.hpp>

namespace ferry::detail {

class JobMonitor;
class Journal;
class SlaveRecruiter;
class Stragglers;

/// The journal, monitor and recruiter that accompany a job, the grouping of its slaves, and those that stop the job or lose a slave.
struct BesideJob {
    Journal* journal = nullptr;             ///< null: no journal is written
    JobMonitor* monitor = nullptr;          ///< null: the job has no monitor
    SlaveRecruiter* recruiter = nullptr;    ///< null: no slaves can join
    SlaveGroups groups{};                   ///< groups of slaves that get their tasks from a sub-master
    /// Stops the job for a failure that belongs to none of its tasks. Empty: the failure is only thrown from the calls of the master.
    std::function<void(const std::exception_ptr&)> stopJob{};
    Stragglers* stragglers = nullptr;    ///< gives up slaves that do not leave a broken team; null: no slave is given up
};

}    // namespace ferry::detail
