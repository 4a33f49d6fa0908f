#pragma once

#include <exception>

namespace ferry::detail {

/// Ends the process for an uncaught exception, with one line and the exit status of that exception, as long as the object lives.
///
/// The guard covers the time before ExitHooks tells a job of the end of its program. At most one object at a time.
class StartGuard {
public:
    StartGuard() noexcept;
    StartGuard(const StartGuard&) = delete;
    StartGuard& operator=(const StartGuard&) = delete;
    ~StartGuard();

private:
    std::terminate_handler previous_;
};

}    // namespace ferry::detail
