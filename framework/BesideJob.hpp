#pragma once

namespace ferry {

class JobMonitor;
class Journal;

/// What stands beside a job and is told what happens in it.
struct BesideJob {
    Journal* journal = nullptr;       ///< null: none is written
    JobMonitor* monitor = nullptr;    ///< null: nobody watches
};

}    // namespace ferry
