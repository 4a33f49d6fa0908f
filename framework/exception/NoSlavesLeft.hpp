#pragma once

#include <cstddef>
#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// All slaves are lost, and tasks remain. Ends a job with exitStatus::lostRank.
class NoSlavesLeft : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::NoSlavesLeft)
    FERRY_FIELDS_DECLARED(slaveCount_)

    NoSlavesLeft() = default;
    /// slaveCount: the number of slaves that the job had. lastLoss: how the last slave was lost, in words.
    NoSlavesLeft(int slaveCount, const std::string& lastLoss);

    ErrorKind kind() const noexcept override { return ErrorKind::Transport; }
    /// The number of slaves that the job had.
    int slaveCount() const noexcept { return slaveCount_; }

private:
    int slaveCount_ = 0;
};

}    // namespace ferry
