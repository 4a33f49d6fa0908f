#pragma once

#include <exception>
#include <vector>

namespace ferry {

/// Who hears of the ways in which a program ends without returning from main().
class ExitListener {
public:
    /// exit() was called on this thread; when the function returns, exit() goes on with that status.
    virtual void exitCalled(int status) = 0;

    /// std::terminate() was called on this thread: nobody catches an exception, or an exception left a noexcept function. The list holds it
    /// behind the exceptions that were under way before it, the oldest first. An empty list: there was no exception. Must not return.
    virtual void terminateCalled(const std::vector<std::exception_ptr>& exceptions) = 0;

    /// std::quick_exit() was called on this thread. The process ends when the function returns, which can say a last word.
    virtual void quickExitCalled() noexcept = 0;

protected:
    ~ExitListener() = default;
};

/// While it lives, one listener hears of exit(), std::quick_exit() and std::terminate(), but not of those of forked child processes.
/// Afterwards these functions do what they always did.
///
/// At most one object at a time. Threads: the listener is called on whatever thread ends the program.
class ExitHooks {
public:
    /// Whether an object lives.
    static bool areTaken() noexcept;

    /// The listener must outlive the object.
    explicit ExitHooks(ExitListener& listener);
    ExitHooks(const ExitHooks&) = delete;
    ExitHooks& operator=(const ExitHooks&) = delete;
    ~ExitHooks() { release(); }

    /// Registers again with exit(), for so many calls of it: what was made since then is destroyed after the listener has been called,
    /// not before. exit() hands one call to each registration, and several threads may call it.
    void renew(int calls);

    /// Whether this is a child process that was forked after the object was made.
    static bool isForked() noexcept;

    /// What the destructor does, for a program that ends before it is reached.
    void release() noexcept;

private:
    std::terminate_handler previous_ = nullptr;
    bool isReleased_ = false;
};

}    // namespace ferry
