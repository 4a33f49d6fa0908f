#pragma once

#include <functional>
#include <string>

#include <sys/types.h>

namespace bench {

/// A contender in a process of its own, so that none gets its memory as scattered as the one before has left it. The processes take turns.
///
/// Neither copied nor moved. Errors: std::runtime_error when the process has ended; it has said why on stderr.
class Worker {
public:
    using Operation = std::function<double()>;

    /// Forks. The set-up runs in the new process and returns what is measured: it does the work once and returns the nanoseconds that
    /// count.
    Worker(std::string name, const std::function<Operation()>& setUp);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    /// Waits for the process, which ends.
    ~Worker();

    /// Has the process do the work once; returns what the operation returns.
    double runOnce();

private:
    /// What the new process does.
    static int serve(const std::string& name, const std::function<Operation()>& setUp, int commands, int results);
    double nextResult();

    std::string name_;
    int commands_ = -1;    ///< the end of a pipe: a byte for each time
    int results_ = -1;     ///< the end of a pipe: a double for each time, and one more after the set-up
    pid_t process_ = -1;
};

}    // namespace bench
