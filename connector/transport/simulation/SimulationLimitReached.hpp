#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// A simulation went on for longer than it may, in calls of the transport or in simulated time. Its ranks repeat themselves without end.
class SimulationLimitReached : public Exception {
public:
    FERRY_EXCEPTION(ferry::SimulationLimitReached)
    FERRY_FIELDS()

    SimulationLimitReached() = default;
    explicit SimulationLimitReached(const std::string& text) : Exception(text) {}

    ErrorKind kind() const noexcept override { return ErrorKind::Bug; }
};

}    // namespace ferry
