#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// No rank of a simulation can go on: all living ranks wait without a limit, and nothing is under way. Thrown on every rank that waits. The
/// text says which ranks wait and how the others have ended.
class SimulatedDeadlock : public Exception {
public:
    FERRY_EXCEPTION(ferry::SimulatedDeadlock)
    FERRY_FIELDS()

    SimulatedDeadlock() = default;
    explicit SimulatedDeadlock(const std::string& text) : Exception(text) {}

    ErrorKind kind() const noexcept override { return ErrorKind::Bug; }
};

}    // namespace ferry
