#pragma once

#include <cstdint>
#include <vector>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// A task was given up because so many slaves were lost that may have been at work on it (TaskOptions::slavesAtMost).
class PoisonTask : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::PoisonTask)
    FERRY_FIELDS(ranks_)

    PoisonTask() = default;
    /// The number of the task, and the ranks that were lost with it.
    PoisonTask(std::int32_t task, std::vector<int> ranks);

    ErrorKind kind() const noexcept override { return ErrorKind::Application; }
    /// The slaves that were lost with it, in this order.
    const std::vector<int>& ranks() const noexcept { return ranks_; }

private:
    std::vector<int> ranks_;
};

}    // namespace ferry
