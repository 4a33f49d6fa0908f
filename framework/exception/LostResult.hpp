#pragma once

#include <cstdint>
#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// A result that stayed with a slave is lost, and cannot be made again. The cause says why: the loss of the slave, for a task that is not
/// repeatable, or the failure of the task when it was done again.
class LostResult : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::LostResult)
    FERRY_FIELDS_DECLARED(task_)

    LostResult() = default;
    /// task: the number of the task that has made the result, and the name of its class. reason: why it is not made again, and the cure.
    LostResult(std::int32_t task, const std::string& taskClass, const std::string& reason, const std::exception_ptr& cause);

    ErrorKind kind() const noexcept override { return ErrorKind::Transport; }
    /// The number of the task that has made the result.
    std::int32_t task() const noexcept { return task_; }

private:
    std::int32_t task_ = 0;
};

}    // namespace ferry
