// Stands between every throw of the program and the C++ runtime: notes where it was thrown, and lets it pass.
//
// __cxa_throw is what the compiler makes of `throw`. A definition in the program, or in a library before the C++ runtime, is found first,
// by the runtime's own throws too. It is weak: where the runtime is linked statically its own one stands, and the linker is asked to send
// throws here (-Wl,--wrap=__cxa_throw); where a sanitizer brings one, that one stands. The types of its parameters are those that GCC
// itself gives it, which <cxxabi.h> does not.
#include <dlfcn.h>
#include <execinfo.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <span>
#include <utility>

#include <ferry/serialization/exception/LogicalClock.hpp>
#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/serialization/exception/ThrowPlace.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>

namespace {

using Destructor = void (*)(void*);
using Throw = void (*)(void*, void*, Destructor);

constexpr std::size_t maxFrames = 64;

/// Takes the place of the exception's destructor, and calls it.
void destroyRecorded(void* object) {
    const auto record = ferry::forgetThrow(object);
    if (record != nullptr && record->destroy != nullptr) record->destroy(object);
}

/// The stack from the function that throws on; `caller` is the return address in it.
std::vector<void*> framesFrom(const void* caller) {
    std::array<void*, maxFrames + 4> addresses{};
    const int count = ::backtrace(addresses.data(), static_cast<int>(addresses.size()));
    const std::span<void*> all = std::span(addresses).first(static_cast<std::size_t>(std::max(count, 0)));
    const auto first = std::find(all.begin(), all.end(), caller);
    return std::vector<void*>(first != all.end() ? first : all.begin(), all.end());
}

/// Whether the exception is recorded: then destroyRecorded must be its destructor. Fails silently: the throw counts, not its record.
bool record(void* object, Destructor destroy, const void* caller) noexcept {
    const ferry::ThrowPlace place = ferry::takeAnnouncedThrow();    // it is of this throw, recorded or not
    if (ferry::ThrowRecordingPause::isActive()) return false;
    const ferry::ThrowRecordingPause pause;    // what goes wrong in here, formatting of contexts too, is not recorded itself
    try {
        if (ferry::throwRecordOf(object) != nullptr) return false;
        ferry::ThrowRecord record;
        record.origin = ferry::Origin::here(place.file, place.line);
        if (ferry::isStackRecording()) record.frames = framesFrom(caller);
        record.destroy = destroy;
        record.time = ferry::LogicalClockScope::now();
        ferry::noteThrow(object, std::move(record));
        return true;
    } catch (...) {
        return false;
    }
}

}    // namespace

extern "C" {

/// The linker's name for the runtime's function, with --wrap; null without.
[[gnu::weak]] void __real___cxa_throw(void* object, void* type, Destructor destroy);

[[noreturn]] void ferryThrow(void* object, void* type, Destructor destroy) {
    static const auto next = reinterpret_cast<Throw>(::dlsym(RTLD_NEXT, "__cxa_throw"));
    if (next == nullptr) std::abort();
    next(object, type, record(object, destroy, __builtin_return_address(0)) ? destroyRecorded : destroy);
    std::abort();    // a throw does not return
}

[[gnu::weak, gnu::alias("ferryThrow"), gnu::visibility("default"), noreturn]] void __cxa_throw(void* object, void* type,
                                                                                               Destructor destroy);

[[gnu::visibility("default"), noreturn]] void __wrap___cxa_throw(void* object, void* type, Destructor destroy) {
    __real___cxa_throw(object, type, record(object, destroy, __builtin_return_address(0)) ? destroyRecorded : destroy);
    std::abort();    // a throw does not return
}
}

bool ferry::isThrowHookLinked() noexcept { return reinterpret_cast<Throw>(__cxa_throw) == ferryThrow || __real___cxa_throw != nullptr; }
