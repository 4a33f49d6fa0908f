#pragma once

#include <cstdint>
#include <string>

namespace ferry::detail {

/// The state of a process as the operating system reports it.
enum class ProcessState {
    Unknown,    ///< the process is on another host, or its state cannot be read
    Running,    ///< running or waiting
    Stopped,    ///< stopped by SIGSTOP or a similar signal
    Traced,     ///< stopped by a debugger
    Gone,       ///< the process has ended
};

/// The state of a process on this host.
ProcessState stateOfProcess(std::int32_t process);

/// The state that a line of /proc/PID/stat tells.
ProcessState stateInLine(const std::string& line);

/// A hash of boot, PID namespace and network namespace. It is equal in two processes when each can see the other by its process number.
std::uint64_t hostIdentity();

}    // namespace ferry::detail
