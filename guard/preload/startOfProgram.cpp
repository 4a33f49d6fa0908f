// The C library calls this function first in every program. Here it replaces main() by guardedMain().
#include <dlfcn.h>
#include <cstdlib>

#include <ferry/guard/preload/ProgramGuard.hpp>

namespace {

ferry::detail::ProgramGuard::Main* programMain = nullptr;

int guardedMain(int argc, char** argv, char** environment) {
    return ferry::detail::ProgramGuard::ofProcess().run(programMain, argc, argv, environment);
}

/// Runs when the static objects of the program have ended, and before the libraries that this one needs end.
[[gnu::destructor]] void endBehindObjects() { ferry::detail::ProgramGuard::ofProcess().endBehindObjects(); }

}    // namespace

extern "C" int __libc_start_main(ferry::detail::ProgramGuard::Main* main, int argc, char** argv, void (*init)(), void (*fini)(),
                                 void (*loaderFini)(), void* stackEnd) {
    using Start = int(ferry::detail::ProgramGuard::Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
    auto* const start = reinterpret_cast<Start*>(::dlsym(RTLD_NEXT, "__libc_start_main"));
    if (start == nullptr) std::abort();
    programMain = main;
    // The C library is about to register the end of all libraries. This handler runs behind it.
    ::on_exit([](int, void*) { ferry::detail::ProgramGuard::ofProcess().endBehindLibraries(); }, nullptr);
    return start(&guardedMain, argc, argv, init, fini, loaderFini, stackEnd);
}
