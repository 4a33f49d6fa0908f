#pragma once

#include <exception>

namespace ferry {

/// While it lives, an uncaught exception ends the process with one line and the exit status of that exception.
///
/// It covers the time before a job hears of the end of its program (ExitHooks). At most one object at a time.
class StartGuard {
public:
    StartGuard() noexcept;
    StartGuard(const StartGuard&) = delete;
    StartGuard& operator=(const StartGuard&) = delete;
    ~StartGuard();

private:
    std::terminate_handler previous_;
};

}    // namespace ferry
