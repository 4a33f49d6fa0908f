// Stands between every throw of the program and the C++ runtime: notes where it was thrown, and lets it pass.
//
// __cxa_throw is what the compiler makes of `throw`. A definition in the program, or in a library before the C++ runtime, is found first,
// by the runtime's own throws too. It is weak: where the runtime is linked statically its own one stands, and the linker is asked to send
// throws here (-Wl,--wrap=__cxa_throw); where a sanitizer brings one, that one stands. The types of its parameters are those that GCC
// itself gives it, which <cxxabi.h> does not.
//
// The other two ways in which an exception sets out are `throw;` and std::rethrow_exception(). They are only noted as under way.
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include <ferry/serialization/exception/LogicalClock.hpp>
#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/serialization/exception/ThrowPlace.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>

namespace {

using Destructor = void (*)(void*);
using Throw = void (*)(void*, void*, Destructor);
using Rethrow = void (*)();
using RethrowPointer = void (*)(void*);

constexpr std::size_t maxFrames = 64;

#ifdef __GLIBCXX__
/// This function lies beside the runtime's own __cxa_throw. Asking for it has the linker take that one where the runtime is linked
/// statically: else the weak ones below would stand, and throw into the runtime of a shared library.
[[gnu::used]] const auto besideTheRuntimesThrow = &abi::__cxa_init_primary_exception;
#endif

/// The objects of exceptions that are under way on this thread, as far as std::uncaught_exceptions() counts: those behind that are past.
/// An exception sets out only when all that are under way then are older.
constexpr std::size_t mostUnderWay = 8;
thread_local std::array<const void*, mostUnderWay> underWay{};

void noteUnderWay(const void* object) noexcept {
    const auto place = static_cast<std::size_t>(std::uncaught_exceptions());
    if (place < underWay.size()) underWay[place] = object;
}

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
    noteUnderWay(object);
    next(object, type, record(object, destroy, __builtin_return_address(0)) ? destroyRecorded : destroy);
    std::abort();    // a throw does not return
}

[[gnu::weak, gnu::alias("ferryThrow"), gnu::visibility("default"), noreturn]] void __cxa_throw(void* object, void* type,
                                                                                               Destructor destroy);

[[gnu::visibility("default"), noreturn]] void __wrap___cxa_throw(void* object, void* type, Destructor destroy) {
    noteUnderWay(object);
    __real___cxa_throw(object, type, record(object, destroy, __builtin_return_address(0)) ? destroyRecorded : destroy);
    std::abort();    // a throw does not return
}

[[noreturn]] void ferryRethrow() {
    static const auto next = reinterpret_cast<Rethrow>(::dlsym(RTLD_NEXT, "__cxa_rethrow"));
    if (next == nullptr) std::abort();
    noteUnderWay(ferry::objectOf(std::current_exception()));
    next();
    std::abort();
}

[[gnu::weak, gnu::alias("ferryRethrow"), gnu::visibility("default"), noreturn]] void __cxa_rethrow();

/// An exception_ptr is passed by the address of a copy.
[[noreturn]] void ferryRethrowPointer(void* pointer) {
    static const auto next =
        reinterpret_cast<RethrowPointer>(::dlsym(RTLD_NEXT, "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE"));
    if (next == nullptr) std::abort();
    noteUnderWay(ferry::objectOf(*static_cast<const std::exception_ptr*>(pointer)));
    next(pointer);
    std::abort();
}

/// std::rethrow_exception, as libstdc++ names it.
[[gnu::weak, gnu::alias("ferryRethrowPointer"), gnu::visibility("default"), noreturn]] void
_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(void* pointer);
}

namespace {

/// Else a place may hold an exception that is gone.
bool isAllSeen() noexcept {
    return ferry::isThrowHookLinked() && reinterpret_cast<Rethrow>(__cxa_rethrow) == ferryRethrow &&
           _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE == ferryRethrowPointer;
}

/// As long as it is under way, the object lives.
std::exception_ptr pointerTo(const void* object) noexcept {
    std::exception_ptr borrowed;
    std::memcpy(static_cast<void*>(&borrowed), &object, sizeof(object));
    std::exception_ptr shared = borrowed;
    const void* const none = nullptr;
    std::memcpy(static_cast<void*>(&borrowed), &none, sizeof(none));
    return shared;
}

}    // namespace

std::vector<std::exception_ptr> ferry::throwsUnderWay() {
    std::vector<std::exception_ptr> exceptions;
    if (!isAllSeen()) return exceptions;
    const auto count = std::min(static_cast<std::size_t>(std::uncaught_exceptions()), underWay.size());
    for (std::size_t place = 0; place < count; ++place) {
        if (underWay[place] != nullptr) exceptions.push_back(pointerTo(underWay[place]));
    }
    return exceptions;
}

bool ferry::isThrowHookLinked() noexcept { return reinterpret_cast<Throw>(__cxa_throw) == ferryThrow || __real___cxa_throw != nullptr; }
