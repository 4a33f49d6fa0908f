#pragma once

#include <functional>
#include <string>

#include <sys/types.h>

namespace bench {

/// A contender in a process of its own. So no contender gets memory that an earlier one has fragmented. The processes take turns.
///
/// A worker can be neither copied nor moved. Errors: std::runtime_error when the process has ended. The process has written the reason to
/// stderr.
class Worker {
public:
    using Operation = std::function<double()>;

    /// Forks a process. The set-up runs in the new process and returns the measured operation. The operation does the work once, and
    /// returns the nanoseconds to count.
    Worker(std::string name, const std::function<Operation()>& setUp);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    /// Tells the process to end, and waits for it.
    ~Worker();

    /// Lets the process do the work once. Returns the result of the operation.
    double runOnce();

private:
    /// The main loop of the new process.
    static int serve(const std::string& name, const std::function<Operation()>& setUp, int commands, int results);
    double nextResult();

    std::string name_;
    int commands_ = -1;    ///< write end of a pipe: one byte for each operation
    int results_ = -1;     ///< read end of a pipe: one double after the set-up, and one for each operation
    pid_t process_ = -1;
};

}    // namespace bench
