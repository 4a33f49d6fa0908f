#include <ferry/serialization/exception/LogicalClock.hpp>

namespace ferry::detail {

namespace {

thread_local const std::int32_t* clockOfThisThread = nullptr;

}    // namespace

LogicalClockScope::LogicalClockScope(const std::int32_t& clock) noexcept : outer_(clockOfThisThread) { clockOfThisThread = &clock; }

LogicalClockScope::~LogicalClockScope() { clockOfThisThread = outer_; }

LogicalTime LogicalClockScope::now() noexcept {
    if (clockOfThisThread == nullptr) return {};
    return {clockOfThisThread, *clockOfThisThread};
}

}    // namespace ferry::detail
