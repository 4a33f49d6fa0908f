#pragma once

#include <string_view>

namespace ferry::detail {

/// Lines on standard error for a process that a signal is about to end, such as SIGSEGV or SIGABRT: the rank, the signal, the text of the
/// last exception that was thrown, and the stack. After a failure that is not told yet, the line names that failure. Then the signal works
/// as without them: the status and the core file are the same.
///
/// Handlers of the program stay. Nothing is allocated in the handler.
class DeathNotice {
public:
    /// Installs the handlers, for signals that have no handler of the program. To be called when MPI is initialised.
    static void install(int rank) noexcept;
    /// Tells that the program of this process calls a function that ends it without the guard, such as _exit(). Does nothing outside of
    /// MPI.
    static void tellExit(const char* function, int status) noexcept;
    /// Notes the failure of a rank, for a process that cleans up after it, and may die before the failure is told. text: of the failure.
    static void noteFailure(int rank, std::string_view text) noexcept;
    /// For a process whose failure is told, and that still cleans up: a signal that would end it then ends it with this status.
    static void endWith(int status) noexcept;
    /// Ends the notices, for a process that has left MPI.
    static void stop() noexcept;
};

}    // namespace ferry::detail
