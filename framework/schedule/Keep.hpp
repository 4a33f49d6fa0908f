#pragma once

namespace ferry {

/// Says that the result of a task stays with the slave that does the task: `master.submit(task, ferry::Keep{})`.
struct Keep {};

}    // namespace ferry
