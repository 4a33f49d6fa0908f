#include <ferry/serialization/exception/TaskScope.hpp>

namespace ferry::detail {

namespace {

thread_local const TaskScope* innermostTask = nullptr;

}    // namespace

TaskScope::TaskScope(const char* className, std::int32_t number) noexcept : className_(className), number_(number), outer_(innermostTask) {
    innermostTask = this;
}

TaskScope::~TaskScope() { innermostTask = outer_; }

const TaskScope* TaskScope::current() noexcept { return innermostTask; }

}    // namespace ferry::detail
