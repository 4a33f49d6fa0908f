#pragma once

namespace ferry::detail {

/// Lets SIGINT, SIGTERM and SIGHUP end a guarded job in order: the next call of MPI of this rank fails with the signal.
///
/// A signal that the program handles or ignores is left alone; Python's own handler of SIGINT is called, too. A signal of the launcher,
/// which ends the ranks after another rank has died, works as without Ferry, and so does a signal of this process to itself. A second
/// signal ends the process at once. Two signals within 200 ms are one request.
/// Threads: the handlers may run on any thread; awaitTaken() runs on the guard's thread.
class EndSignals {
public:
    /// Installs the handlers. To be called when MPI is initialised. takesPython: Python's handler of SIGINT is that of every script.
    /// wake: called in the handler, when a signal has come.
    static void install(int rank, bool takesPython, void (*wake)() noexcept) noexcept;
    /// Waits until a call of MPI has taken the signal that has come, if any. After a limited time the signal ends the process, with a line.
    static void awaitTaken() noexcept;
    /// Ends the handlers, for a process that has left MPI. Does nothing after a signal: the second signal of the same request may be on its
    /// way.
    static void stop() noexcept;
    /// "SIGINT" and so on.
    static const char* nameOf(int signal) noexcept;
};

}    // namespace ferry::detail
