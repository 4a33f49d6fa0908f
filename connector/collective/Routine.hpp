#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace ferry::detail {

/// The part of one rank in a started collective, written like the blocking form: a coroutine that rests wherever it needs a letter
/// (co_await collective.from(rank)) and goes on when that is there. A routine may await another one.
///
/// Ownership: owns the coroutine with all that it holds, wherever it rests; not copied. Arguments of a routine by value
/// live in it; those by reference must outlive it.
template <class T>
class [[nodiscard]] Routine {
public:
    struct promise_type;
    using Handle = std::coroutine_handle<promise_type>;

    /// At the end of a routine that another one awaits, that one goes on.
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

    /// The handle that begins the routine.
    std::coroutine_handle<> start() const noexcept { return handle_; }
    bool isDone() const noexcept { return handle_.done(); }

    /// The value that the routine returned, or throws the exception that it threw. Once.
    T take() {
        if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
        return std::move(*handle_.promise().value);
    }

    /// Ends it where it rests: what it holds goes.
    void drop() noexcept {
        if (handle_) std::exchange(handle_, nullptr).destroy();
    }

    // For the routine that awaits this one.
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
