#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// The ranks of a job do not know the same classes: their builds differ, and the job does not start.
class RegistryMismatch : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::RegistryMismatch)
    FERRY_FIELDS_DECLARED()

    RegistryMismatch() = default;
    explicit RegistryMismatch(const std::string& difference) : Exception(difference) {}

    ErrorKind kind() const noexcept override { return ErrorKind::Unsupported; }
};

}    // namespace ferry
