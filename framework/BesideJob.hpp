#pragma once

namespace ferry {

class JobMonitor;
class Journal;
class SlaveRecruiter;

/// What stands beside a job and is told what happens in it.
struct BesideJob {
    Journal* journal = nullptr;             ///< null: none is written
    JobMonitor* monitor = nullptr;          ///< null: nobody watches
    SlaveRecruiter* recruiter = nullptr;    ///< null: no slaves can join
};

}    // namespace ferry
