#pragma once

#include <exception>

namespace ferry {

/// While it lives, an exception that nobody catches ends the process with one line and the exit status that suits it.
///
/// For the time in which a job does not listen yet for the end of its program (ExitHooks). At most one object at a time.
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
