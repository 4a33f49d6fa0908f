// Every throw of the program passes these functions on its way to the C++ runtime. The functions note the place of the throw and pass the
// throw on.
//
// The compiler translates `throw` to a call of __cxa_throw. A definition in the program, or in a library before the C++ runtime, is found
// first. The runtime's own throws use this definition too. The definition here is weak. If the runtime is linked statically, the runtime's
// definition wins, and the linker option -Wl,--wrap=__cxa_throw sends throws here. If a sanitizer has a definition, that one wins.
//
// An exception can also start by `throw;` and by std::rethrow_exception(). For these two, only the exception in flight is noted.
#include <cxxabi.h>
#include <dlfcn.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

#include <ferry/serialization/exception/DrivenOut.hpp>
#include <ferry/serialization/exception/LastThrow.hpp>
#include <ferry/serialization/exception/LogicalClock.hpp>
#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/serialization/exception/ThrowPlace.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>
#include <ferry/serialization/exception/stack/StackWalk.hpp>

namespace {

using Destructor = void (*)(void*);
using Throw = void (*)(void*, void*, Destructor);
using Rethrow = void (*)();
using RethrowPointer = void (*)(void*);

// GCC declares __cxa_throw itself, with void* in the second place. Other compilers take the declaration of <cxxabi.h>.
#if defined(__GNUC__) && !defined(__clang__)
using ThrownType = void;
#else
using ThrownType = std::type_info;
#endif

// The name of std::rethrow_exception(std::exception_ptr) in the C++ runtime.
#ifdef _LIBCPP_VERSION
#define FERRY_RETHROW_EXCEPTION_ _ZSt17rethrow_exceptionSt13exception_ptr
#define FERRY_RETHROW_EXCEPTION_NAME_ "_ZSt17rethrow_exceptionSt13exception_ptr"
#else
#define FERRY_RETHROW_EXCEPTION_ _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE
#define FERRY_RETHROW_EXCEPTION_NAME_ "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE"
#endif

constexpr std::size_t maxFrames = 64;

#ifdef __GLIBCXX__
/// __cxa_init_primary_exception is in the same object file as the runtime's own __cxa_throw. This reference makes the linker take that file
/// if the runtime is linked statically. Otherwise the weak functions below would win, and throw into the runtime of a shared library.
[[gnu::used]] const auto besideTheRuntimesThrow = &abi::__cxa_init_primary_exception;
#endif

/// The exception objects in flight on this thread, the oldest first. Only the first std::uncaught_exceptions() entries are valid. The order
/// holds because a new exception starts after all that are then in flight.
constexpr std::size_t mostUnderWay = 8;
thread_local std::array<const void*, mostUnderWay> underWay{};

void noteUnderWay(const void* object) noexcept {
    const auto place = static_cast<std::size_t>(std::uncaught_exceptions());
    if (place < underWay.size()) underWay[place] = object;
}

/// Makes an exception_ptr to an exception in flight. The object exists as long as it is in flight.
std::exception_ptr pointerTo(const void* object) noexcept {
    std::exception_ptr borrowed;
    std::memcpy(static_cast<void*>(&borrowed), &object, sizeof(object));
    std::exception_ptr shared = borrowed;
    const void* const none = nullptr;
    std::memcpy(static_cast<void*>(&borrowed), &none, sizeof(none));
    return shared;
}

bool isAllSeen() noexcept;

/// Notes the exception whose place a std::bad_alloc takes.
void noteDrivenOut(const void* object, const std::type_info& type) noexcept {
    if (type != typeid(std::bad_alloc)) return;
    const auto count = static_cast<std::size_t>(std::uncaught_exceptions());
    const bool isInFlight = count != 0 && count <= underWay.size() && underWay[count - 1] != nullptr && isAllSeen();
    ferry::detail::DrivenOut::note(object, type, isInFlight ? pointerTo(underWay[count - 1]) : nullptr);
}

/// Replaces the exception's destructor, and calls it.
void destroyRecorded(void* object) {
    const auto record = ferry::detail::forgetThrow(object);
    if (record != nullptr && record->destroy != nullptr) record->destroy(object);
}

/// Returns the stack, beginning with the throwing function. caller: the return address in that function.
std::vector<void*> framesFrom(const void* caller) {
    std::array<void*, maxFrames + 4> addresses;    // not filled with zeros, which takes time
    const std::span<void*> all = std::span(addresses).first(ferry::detail::walkStack(addresses));
    const auto first = std::find(all.begin(), all.end(), caller);
    return std::vector<void*>(first != all.end() ? first : all.begin(), all.end());
}

/// Records a throw. Returns whether destroyRecorded must be the exception's destructor. Fails silently, because the throw is more important
/// than its record.
bool record(void* object, const std::type_info& type, Destructor destroy, const void* caller) noexcept {
    const ferry::detail::ThrowPlace place = ferry::detail::takeAnnouncedThrow();    // belongs to this throw, recorded or not
    if (ferry::detail::ThrowRecordingPause::isActive()) return false;
    const ferry::detail::ThrowRecordingPause pause;    // exceptions inside this function (formatting contexts may throw) are not recorded
    try {
        if (ferry::detail::throwRecordOf(object) != nullptr) return false;
        ferry::detail::ThrowRecord record;
        record.origin = ferry::Origin::here(place.file, place.line);
        if (ferry::detail::isStackRecording()) record.frames = framesFrom(caller);
        record.destroy = destroy;
        record.time = ferry::detail::LogicalClockScope::now();
        ferry::detail::noteThrow(object, std::move(record));
        ferry::detail::LastThrow::note(type, object);
        return true;
    } catch (...) {
        return false;
    }
}

}    // namespace

extern "C" {

/// With --wrap, the linker's name for the runtime's function. Null without --wrap.
[[gnu::weak]] void __real___cxa_throw(void* object, ThrownType* type, Destructor destroy);

/// Never returns. Not declared so, because the compiler then makes the last call a jump, which leaves no frame of this function. The
/// unwinder would pass such a frame twice, at 0.1 us each.
void ferryThrow(void* object, void* type, Destructor destroy) {
    static const auto next = reinterpret_cast<Throw>(::dlsym(RTLD_NEXT, "__cxa_throw"));
    if (next == nullptr) std::abort();
    noteUnderWay(object);
    const auto& thrown = *static_cast<const std::type_info*>(type);
    noteDrivenOut(object, thrown);
    next(object, type, record(object, thrown, destroy, __builtin_return_address(0)) ? destroyRecorded : destroy);
}

[[gnu::weak, gnu::alias("ferryThrow"), gnu::visibility("default"), gnu::noreturn]] void __cxa_throw(void* object, ThrownType* type,
                                                                                                    Destructor destroy);

[[gnu::visibility("default"), gnu::noreturn]] void __wrap___cxa_throw(void* object, ThrownType* type, Destructor destroy) {
    noteUnderWay(object);
    const auto& thrown = *static_cast<const std::type_info*>(type);
    noteDrivenOut(object, thrown);
    __real___cxa_throw(object, type, record(object, thrown, destroy, __builtin_return_address(0)) ? destroyRecorded : destroy);
    std::abort();    // a throw does not return
}

[[noreturn]] void ferryRethrow() {
    static const auto next = reinterpret_cast<Rethrow>(::dlsym(RTLD_NEXT, "__cxa_rethrow"));
    if (next == nullptr) std::abort();
    noteUnderWay(ferry::detail::objectOf(std::current_exception()));
    next();
    std::abort();
}

[[gnu::weak, gnu::alias("ferryRethrow"), gnu::visibility("default"), gnu::noreturn]] void __cxa_rethrow();

/// An exception_ptr is passed by the address of a copy.
[[noreturn]] void ferryRethrowPointer(void* pointer) {
    static const auto next = reinterpret_cast<RethrowPointer>(::dlsym(RTLD_NEXT, FERRY_RETHROW_EXCEPTION_NAME_));
    if (next == nullptr) std::abort();
    noteUnderWay(ferry::detail::objectOf(*static_cast<const std::exception_ptr*>(pointer)));
    next(pointer);
    std::abort();
}

/// std::rethrow_exception, under its name in the C++ runtime.
[[gnu::weak, gnu::alias("ferryRethrowPointer"), gnu::visibility("default"), gnu::noreturn]] void FERRY_RETHROW_EXCEPTION_(void* pointer);
}

namespace {

/// Whether all three kinds of throw pass this file. Otherwise underWay may contain destroyed exceptions.
bool isAllSeen() noexcept {
    return ferry::isThrowHookLinked() && reinterpret_cast<Rethrow>(__cxa_rethrow) == ferryRethrow &&
           FERRY_RETHROW_EXCEPTION_ == ferryRethrowPointer;
}

}    // namespace

std::vector<std::exception_ptr> ferry::detail::throwsUnderWay() {
    std::vector<std::exception_ptr> exceptions;
    if (!isAllSeen()) return exceptions;
    const auto count = std::min(static_cast<std::size_t>(std::uncaught_exceptions()), underWay.size());
    for (std::size_t place = 0; place < count; ++place) {
        if (underWay[place] != nullptr) exceptions.push_back(pointerTo(underWay[place]));
    }
    return exceptions;
}

bool ferry::isThrowHookLinked() noexcept { return reinterpret_cast<Throw>(__cxa_throw) == ferryThrow || __real___cxa_throw != nullptr; }
