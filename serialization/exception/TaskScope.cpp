#include <ferry/serialization/exception/TaskScope.hpp>

namespace ferry {

namespace {

thread_local const TaskScope* innermost = nullptr;

}    // namespace

TaskScope::TaskScope(const char* className, std::int32_t number) noexcept : className_(className), number_(number), outer_(innermost) {
    innermost = this;
}

TaskScope::~TaskScope() { innermost = outer_; }

const TaskScope* TaskScope::current() noexcept { return innermost; }

}    // namespace ferry
