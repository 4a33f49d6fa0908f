#pragma once

#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// The caller violated the documentation.
class UsageError : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::UsageError)
    using Exception::Exception;
    ErrorKind kind() const noexcept override { return ErrorKind::Bug; }
};

}    // namespace ferry
