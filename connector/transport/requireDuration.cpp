#include <ferry/connector/transport/requireDuration.hpp>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

void failDuration(const char* what, long double seconds) {
    throw UsageError(fmt::format("expected a duration of 0 or more for {}, found {:g} s", what, seconds));
}

}    // namespace ferry::detail
