#include <ferry/framework/slave/Ref.hpp>

#include <fmt/format.h>

#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

/// The scope of the task that this thread writes or reads; null elsewhere.
thread_local RefScope* scopeOfThisThread = nullptr;

}    // namespace

RefScope::Active::Active(RefScope& scope) noexcept : before_(std::exchange(scopeOfThisThread, &scope)) {}
RefScope::Active::~Active() { scopeOfThisThread = before_; }

std::int32_t RefScope::leave(const std::shared_ptr<RefTarget>& target) {
    if (scopeOfThisThread == nullptr) {
        throw UsageError(
            "a Ref travels only in a task that the master submits: not in a message, a reply, a shared object, a file, or a "
            "task of a handler");
    }
    if (!target) return 0;
    return scopeOfThisThread->noteWritten(target);
}

std::shared_ptr<RefTarget> RefScope::arrive(std::int32_t number) {
    if (scopeOfThisThread == nullptr || number == 0) return nullptr;
    return scopeOfThisThread->noteRead(number);
}

void requireResultOf(ClassId expected, const char* name, ClassId found) {
    if (found == expected) return;
    throw SerializationError(fmt::format("expected a result of class {} (ID {}), found one of class ID {}", name, expected, found));
}

void failEmptyRef() { throw UsageError("this Ref refers to no result: it is empty"); }

}    // namespace ferry::detail
