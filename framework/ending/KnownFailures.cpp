#include <ferry/framework/ending/KnownFailures.hpp>

#include <fmt/format.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/serialization/exception/Origin.hpp>

namespace ferry::detail {

/// A text that no other throw has.
std::string KnownFailures::throwOf(const Thrown& failure) {
    const Origin origin = failure.origin();
    return fmt::format("{} {} {} {}\n{}\n{}", origin.timeUs, origin.thread, origin.pid, origin.host, failure.typeName(), failure.text());
}

bool KnownFailures::contains(const std::exception_ptr& failure) const {
    const Thrown thrown(failure);
    return throws_.contains(throwOf(thrown)) || (isLossFailure(failure) && losses_.contains(thrown.text()));
}

void KnownFailures::add(const std::exception_ptr& failure) {
    const Thrown thrown(failure);
    if (isLossFailure(failure)) losses_.insert(thrown.text());
    if (const auto* list = thrown.as<ExceptionList>()) {
        for (const Failure& one : *list) throws_.insert(throwOf(Thrown(one.exception())));
    }
    throws_.insert(throwOf(thrown));
}

}    // namespace ferry::detail
