#pragma once

#include <cstdint>

namespace ferry::detail {

/// Notes during its lifetime which task this thread handles. An exception thrown meanwhile carries the task. Scopes nest.
class TaskScope {
public:
    /// className: a literal, or a text that exists as long as the scope.
    TaskScope(const char* className, std::int32_t number) noexcept;
    TaskScope(const TaskScope&) = delete;
    TaskScope& operator=(const TaskScope&) = delete;
    ~TaskScope();

    /// For a scope that began before the class of its task was known.
    void setClassName(const char* className) noexcept { className_ = className; }
    const char* className() const noexcept { return className_; }
    std::int32_t number() const noexcept { return number_; }

    /// The innermost scope of this thread. Null outside of tasks.
    static const TaskScope* current() noexcept;

private:
    const char* className_;
    std::int32_t number_;
    const TaskScope* outer_;
};

}    // namespace ferry::detail
