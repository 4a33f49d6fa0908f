#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// What a simulation throws where a Fault asks for an exception and brings none.
class SimulatedFault : public Exception {
public:
    FERRY_EXCEPTION(ferry::SimulatedFault)
    FERRY_FIELDS()

    SimulatedFault() = default;
    explicit SimulatedFault(const std::string& text) : Exception(text) {}

    ErrorKind kind() const noexcept override { return ErrorKind::Transport; }
};

}    // namespace ferry
