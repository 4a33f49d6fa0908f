#pragma once

#include <csignal>
#include <string>
#include <vector>

namespace ferry {

/// Notices SIGINT and SIGTERM while it lives, so that the job can stop in order. A second signal ends the process at once.
///
/// A signal that the program handles or ignores itself is left alone. At most one object at a time; it belongs to the Application.
class Signals {
public:
    Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    ~Signals();

    /// The signal that has arrived since the last call; 0 when none has. Safe from any thread; only one caller gets it.
    static int take() noexcept;

    /// "SIGINT" and so on.
    static std::string nameOf(int signal);

private:
    struct Previous {
        int signal;
        struct sigaction action;
    };
    std::vector<Previous> previous_;
};

} // namespace ferry
