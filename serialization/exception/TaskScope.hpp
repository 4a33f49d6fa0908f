#pragma once

#include <cstdint>

namespace ferry {

/// Says, as long as it lives, which task this thread handles; what is thrown meanwhile carries it. Scopes nest.
class TaskScope {
public:
    /// The class name is a literal, or lives as long as the scope.
    TaskScope(const char* className, std::int32_t number) noexcept;
    TaskScope(const TaskScope&) = delete;
    TaskScope& operator=(const TaskScope&) = delete;
    ~TaskScope();

    /// For one that began before its class was known.
    void setClassName(const char* className) noexcept { className_ = className; }
    const char* className() const noexcept { return className_; }
    std::int32_t number() const noexcept { return number_; }

    /// The innermost one of this thread; null outside of tasks.
    static const TaskScope* current() noexcept;

private:
    const char* className_;
    std::int32_t number_;
    const TaskScope* outer_;
};

}    // namespace ferry
