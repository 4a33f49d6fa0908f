#pragma once

#include <span>

namespace ferry::detail {

/// Takes the stack of the program's thread for another thread of the process, by a signal.
///
/// The signal is a real-time signal that the program does not handle, and it carries a value of Ferry. A system call that the signal ends
/// early is begun again, with the time that is left where the call tells that time. Where that cannot be done, a thread that waits in a
/// system call gets no signal, and its stack is not known.
///
/// Threads: take() may be called by one thread at a time.
class StackSignal {
public:
    /// To be called by the program's thread. also(): called by that thread in the handler of the signal, with the stack; may be null.
    static void begin(void (*also)() noexcept);
    /// The return addresses of the program's thread, innermost first; empty: not known. Valid until the next call.
    static std::span<void* const> take();
};

}    // namespace ferry::detail
