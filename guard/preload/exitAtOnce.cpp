// The C library's _exit() ends a process without the handlers of exit(). Here it first tells so. The C library itself does not call it.
// exit() and quick_exit() call handlers of the program first. Here the status becomes known to the guard, whose handler runs behind those.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cstdlib>
#include <string_view>

#include <ferry/guard/preload/DeathNotice.hpp>
#include <ferry/guard/preload/ProgramGuard.hpp>

namespace {

/// Whether the MPI library ends the process, as MPI_Abort does.
bool isCalledByMpi(void* caller) noexcept {
    Dl_info info{};
    if (::dladdr(caller, &info) == 0 || info.dli_fname == nullptr) return false;
    const std::string_view path = info.dli_fname;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return name.starts_with("libmpi") || name.starts_with("libopen-") || name.starts_with("libpmix") || name.starts_with("mca_");
}

}    // namespace

extern "C" [[noreturn]] void _exit(int status) {
    if (!isCalledByMpi(__builtin_return_address(0))) ferry::detail::DeathNotice::tellExit("_exit", status);
    for (;;) ::syscall(SYS_exit_group, status);
}

extern "C" [[noreturn]] void exit(int status) noexcept {
    ferry::detail::ProgramGuard::ofProcess().noteExitCall(status);
    auto* const next = reinterpret_cast<void (*)(int)>(::dlsym(RTLD_NEXT, "exit"));
    if (next != nullptr) next(status);
    ::_exit(status);
}

extern "C" [[noreturn]] void quick_exit(int status) noexcept {
    ferry::detail::ProgramGuard::ofProcess().noteQuickExitCall(status);
    auto* const next = reinterpret_cast<void (*)(int)>(::dlsym(RTLD_NEXT, "quick_exit"));
    if (next != nullptr) next(status);
    ::_exit(status);
}

extern "C" [[noreturn]] void _Exit(int status) noexcept { ::_exit(status); }
