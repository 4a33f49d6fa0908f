#pragma once

#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// The caller did something that the documentation rules out.
class UsageError : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::UsageError)
    using Exception::Exception;
    ErrorKind kind() const noexcept override { return ErrorKind::Bug; }
};

}    // namespace ferry
