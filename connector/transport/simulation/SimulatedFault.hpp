#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// The exception of a Fault of the kind Throw that brings no exception of its own.
class SimulatedFault : public Exception {
public:
    FERRY_EXCEPTION(ferry::SimulatedFault)
    FERRY_FIELDS()

    SimulatedFault() = default;
    explicit SimulatedFault(const std::string& text) : Exception(text) {}

    ErrorKind kind() const noexcept override { return ErrorKind::Transport; }
};

}    // namespace ferry
