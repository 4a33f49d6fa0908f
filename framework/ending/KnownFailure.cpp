#include <ferry/framework/ending/KnownFailure.hpp>

#include <algorithm>
#include <tuple>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/serialization/exception/Origin.hpp>

namespace ferry::detail {

namespace {

bool isSameThrow(const Thrown& left, const Thrown& right) {
    if (left.text() != right.text() || left.typeName() != right.typeName()) return false;
    const Origin one = left.origin();
    const Origin two = right.origin();
    return std::tie(one.timeUs, one.thread, one.pid, one.host) == std::tie(two.timeUs, two.thread, two.pid, two.host);
}

}    // namespace

bool tells(const std::exception_ptr& known, const Thrown& failure) {
    const Thrown seen(known);
    if (isSameThrow(seen, failure)) return true;
    const auto* list = seen.as<ExceptionList>();
    if (list == nullptr) return false;
    return std::any_of(list->begin(), list->end(), [&](const Failure& one) { return isSameThrow(Thrown(one.exception()), failure); });
}

}    // namespace ferry::detail
