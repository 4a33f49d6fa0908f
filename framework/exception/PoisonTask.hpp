#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// A task has failed because it reached the limit of lost slaves that may have been at work on it (TaskOptions::slavesAtMost).
class PoisonTask : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::PoisonTask)
    FERRY_FIELDS_DECLARED(ranks_)

    PoisonTask() = default;
    /// task: the number of the task. taskClass: the name of its class. ranks: the ranks that were lost with the task. limit: the rule that
    /// the task has reached, and the cure.
    PoisonTask(std::int32_t task, const std::string& taskClass, std::vector<int> ranks, const std::string& limit);

    ErrorKind kind() const noexcept override { return ErrorKind::Application; }
    /// The ranks of the slaves that were lost with the task, in the order of the losses.
    const std::vector<int>& ranks() const noexcept { return ranks_; }

private:
    std::vector<int> ranks_;
};

}    // namespace ferry
