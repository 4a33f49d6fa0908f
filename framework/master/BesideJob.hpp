#pragma once

#include <exception>
#include <functional>

#include <ferry/framework/schedule/SlaveGroups.hpp>

namespace ferry {

class JobMonitor;
class Journal;
class SlaveRecruiter;

/// What stands beside a job and is told what happens in it, and how its slaves are grouped.
struct BesideJob {
    Journal* journal = nullptr;             ///< null: none is written
    JobMonitor* monitor = nullptr;          ///< null: nobody watches
    SlaveRecruiter* recruiter = nullptr;    ///< null: no slaves can join
    SlaveGroups groups{};                   ///< of slaves that sub-masters give their tasks
    /// Stops the job for a failure that belongs to none of its tasks. Empty: only the calls of the master throw the failure.
    std::function<void(const std::exception_ptr&)> stopJob{};
};

}    // namespace ferry
