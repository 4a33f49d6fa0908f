#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace ferry::detail {

/// One rank's part in a started collective, written like the blocking form. A routine is a coroutine that rests wherever it needs a letter
/// (co_await collective.from(rank)). The routine goes on when the letter is there. A routine may await another routine.
///
/// Ownership: owns the coroutine and all objects in it, wherever it rests. A routine cannot be copied. Arguments by value live in the
/// routine. Arguments by reference must outlive it.
template <class T>
class [[nodiscard]] Routine {
public:
    struct promise_type;
    using Handle = std::coroutine_handle<promise_type>;

    /// The end of a routine. When another routine awaits this one, that routine goes on.
    struct End {
        bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(Handle ended) const noexcept {
            const std::coroutine_handle<> caller = ended.promise().caller;
            return caller ? caller : std::noop_coroutine();
        }
        void await_resume() const noexcept {}
    };

    struct promise_type {
        std::optional<T> value{};
        std::exception_ptr failure{};
        std::coroutine_handle<> caller{};

        Routine get_return_object() { return Routine(Handle::from_promise(*this)); }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        End final_suspend() const noexcept { return {}; }
        void return_value(T result) { value.emplace(std::move(result)); }
        void unhandled_exception() noexcept { failure = std::current_exception(); }
    };

    Routine(Routine&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Routine& operator=(Routine&&) = delete;
    ~Routine() { drop(); }

    /// The handle that starts the routine.
    std::coroutine_handle<> start() const noexcept { return handle_; }
    bool isDone() const noexcept { return handle_.done(); }

    /// The exception with which the routine is done; null when there is none.
    std::exception_ptr failure() const noexcept { return handle_.promise().failure; }

    /// Returns the value of the routine, or throws its exception. May be called once.
    T take() {
        if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
        return std::move(*handle_.promise().value);
    }

    /// Ends the routine where it rests, and destroys all objects in it.
    void drop() noexcept {
        if (handle_) std::exchange(handle_, nullptr).destroy();
    }

    // The next three functions serve the routine that awaits this one.
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
        handle_.promise().caller = caller;
        return handle_;
    }
    T await_resume() { return take(); }

private:
    explicit Routine(Handle handle) noexcept : handle_(handle) {}

    Handle handle_;
};

}    // namespace ferry::detail
