#pragma once

#include <exception>
#include <utility>

namespace ferry::detail {

/// Holds the exception that led to another one, and releases the chain link by link. With a plain std::exception_ptr, the causes of a long
/// chain would be destroyed by recursion and overflow the stack.
class Cause {
public:
    Cause() noexcept = default;
    explicit Cause(std::exception_ptr exception) noexcept : exception_(std::move(exception)) {}
    Cause(const Cause&) = default;
    Cause(Cause&&) noexcept = default;
    Cause& operator=(const Cause& other) {
        Cause copy(other);
        std::swap(exception_, copy.exception_);
        return *this;
    }
    Cause& operator=(Cause&& other) noexcept {
        std::swap(exception_, other.exception_);
        return *this;
    }
    ~Cause() {
        if (exception_) release(std::move(exception_));
    }

    const std::exception_ptr& get() const noexcept { return exception_; }

private:
    static void release(std::exception_ptr exception) noexcept;

    std::exception_ptr exception_;
};

}    // namespace ferry::detail
