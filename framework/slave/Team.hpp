#pragma once

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/slave/Task.hpp>

namespace ferry {

/// The second parameter of a handler for teams: the slaves that do one task together (`master.submit(task, ferry::ranks(4))`).
///
/// The handler runs on each rank of the team at the same time, in a guarded region of the team. So an exception on one rank wakes the
/// others, and the master's Future::get throws the ExceptionList of all failures. Its ranks are those of the team. The reply is that of
/// rank 0. Valid during the call of the handler.
class Team {
public:
    Team(Connector& connector, Task& task) : connector_(connector), task_(task) {}

    /// The connector of the team alone: ranks from 0 to size - 1, with every call of a connector. rankInJob() gives the ranks of the job.
    Connector& connector() noexcept { return connector_; }

    /// The task on this slave: shared objects, the object of setUp, and cancellation. Its connector() is that of the whole job, which a
    /// team uses for letters to the master at most.
    Task& task() noexcept { return task_; }

private:
    Connector& connector_;
    Task& task_;
};

}    // namespace ferry
