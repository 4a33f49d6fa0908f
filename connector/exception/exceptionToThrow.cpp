#include <ferry/connector/exception/exceptionToThrow.hpp>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

void refuseBaseOfException() {
    throw UsageError(
        "the exception is known only by a base class, and its own class would be lost: pass it on in the handler of the exception, or "
        "pass a std::exception_ptr");
}

}    // namespace ferry::detail
