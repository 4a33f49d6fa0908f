#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// No slaves can join this job now (Master::addSlaves): its transport does not allow it, or no slot is free. The job goes on with its
/// present slaves.
class SlavesCannotJoin : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::SlavesCannotJoin)
    FERRY_FIELDS_DECLARED()

    SlavesCannotJoin() = default;
    /// reason: why no slave can join, in words.
    explicit SlavesCannotJoin(const std::string& reason) : Exception("no slave can join this job: " + reason) {}

    ErrorKind kind() const noexcept override { return ErrorKind::Transport; }
};

}    // namespace ferry
