// The C library's _exit() ends a process without the handlers of exit(). Here it first tells so. The C library itself does not call it.
#include <sys/syscall.h>
#include <unistd.h>
#include <cstdlib>

#include <ferry/guard/preload/DeathNotice.hpp>

extern "C" [[noreturn]] void _exit(int status) {
    ferry::detail::DeathNotice::tellExit(status);
    for (;;) ::syscall(SYS_exit_group, status);
}

extern "C" [[noreturn]] void _Exit(int status) noexcept { ::_exit(status); }
