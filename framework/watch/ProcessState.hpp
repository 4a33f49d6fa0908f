#pragma once

#include <cstdint>
#include <string>

namespace ferry {

/// What the operating system says of a process.
enum class ProcessState {
    Unknown,    ///< it is on another host, or nothing can be found out
    Running,    ///< or waiting for something
    Stopped,    ///< by SIGSTOP and the like
    Traced,     ///< a debugger holds it
    Gone,       ///< it has ended
};

/// Of a process on this host.
ProcessState stateOfProcess(std::int32_t process);

/// The same for a line of /proc/PID/stat.
ProcessState stateInLine(const std::string& line);

/// A number that is the same in two processes when each can see the other by its number.
std::uint64_t hostIdentity();

}    // namespace ferry
