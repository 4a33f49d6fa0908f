#include <ferry/framework/Task.hpp>

#include <fmt/format.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/framework/SlaveLoop.hpp>

namespace ferry {

bool Task::cancelled() { return loop_.isCancelled(); }

void Task::throwIfCancelled() {
    if (cancelled()) throw Cancelled(fmt::format("task {} was cancelled", number_));
}

}    // namespace ferry
