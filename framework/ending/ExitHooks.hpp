#pragma once

#include <exception>
#include <vector>

namespace ferry::detail {

/// Gets notice of each way in which a program ends without returning from main().
class ExitListener {
public:
    /// exit() was called on this thread. When the function returns, exit() goes on with that status. The list holds the exceptions that are
    /// under way or being handled on this thread, the oldest first.
    virtual void exitCalled(int status, const std::vector<std::exception_ptr>& exceptions) = 0;

    /// std::terminate() was called on this thread: an exception was not caught or left a noexcept function. The list holds this exception
    /// last,
    /// after the exceptions that were under way before it, the oldest first. An empty list: there was no exception. Must not return.
    virtual void terminateCalled(const std::vector<std::exception_ptr>& exceptions) = 0;

    /// std::quick_exit() was called on this thread. The process ends with that status when the function returns. The function may print a
    /// last line, and may end the process itself.
    virtual void quickExitCalled(int status) noexcept = 0;

    /// _exit() was called on this thread, maybe in a signal handler. Returns the status with which the process ends. The function may print
    /// a last line.
    virtual int exitAtOnceCalled(int status) noexcept = 0;

protected:
    ~ExitListener() = default;
};

/// Tells one listener of exit(), std::quick_exit(), _exit() and std::terminate() as long as the object lives. Calls in forked child
/// processes are not told. After the object's end these functions behave as before.
///
/// At most one object at a time. Threads: the listener is called on the thread that ends the program, whichever it is.
class ExitHooks {
public:
    /// Whether an object lives.
    static bool areTaken() noexcept;

    /// The listener must outlive the object.
    explicit ExitHooks(ExitListener& listener);
    ExitHooks(const ExitHooks&) = delete;
    ExitHooks& operator=(const ExitHooks&) = delete;
    ~ExitHooks() { release(); }

    /// Registers again with exit(), for `calls` calls of exit(). The listener is then called before objects are destroyed that were made
    /// since the last registration. A call of exit() uses up one registration. Several threads may call exit().
    void renew(int calls);

    /// Tells the listener of a call of _exit(), and returns the status with which the process ends.
    static int noteExitAtOnce(int status) noexcept;

    /// Whether this process is a child that was forked after the object was made.
    static bool isForked() noexcept;

    /// Does the work of the destructor early, for a program that ends before the destructor runs.
    void release() noexcept;

private:
    std::terminate_handler previous_ = nullptr;
    bool isReleased_ = false;
};

}    // namespace ferry::detail
