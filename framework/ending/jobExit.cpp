// The C library's _exit() ends a process without the handlers of exit(). Within a job it first passes here, so that no job ends in silence
// with status 0. A definition in the program, or in a library before the C library, is found first. The C library itself does not call it:
// exit(), std::quick_exit() and abort() do not come along here. A signal handler may call _exit(), so nothing here needs memory or a lock.
#ifdef __linux__

#include <dlfcn.h>
#include <unistd.h>
#include <cstdlib>

#include <ferry/framework/ending/ExitHooks.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace {

using ExitAtOnce = void (*)(int);

// Looked up when the program starts, since a signal handler must not look it up.
const auto nextExitAtOnce = reinterpret_cast<ExitAtOnce>(::dlsym(RTLD_NEXT, "_exit"));

}    // namespace

extern "C" [[noreturn, gnu::visibility("default")]] void _exit(int status) {
    const int told = ferry::detail::ExitHooks::noteExitAtOnce(status);
    if (nextExitAtOnce != nullptr) nextExitAtOnce(told);
    ferry::detail::platform::endProcess(told);
}

extern "C" [[noreturn, gnu::visibility("default")]] void _Exit(int status) noexcept { ::_exit(status); }

#endif
