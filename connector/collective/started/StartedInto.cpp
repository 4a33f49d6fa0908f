#include <ferry/connector/collective/started/StartedInto.hpp>

#include <fmt/format.h>

namespace ferry::detail {

void requireNoDeadline(Deadline deadline, const char* call) {
    if (!deadline.isNever()) throw UsageError(fmt::format("the call {} waits for nothing: pass the deadline to get()", call));
}

}    // namespace ferry::detail
