#include <ferry/serialization/exception/stack/StackWalk.hpp>

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/Sanitizers.hpp>
#include <ferry/tests/support/ThrownBy.hpp>

using namespace ferry;

namespace stackwalk {

namespace {

using Stack = std::vector<void*>;

constexpr std::size_t maxFrames = 100;

#if defined(__x86_64__) && defined(__linux__)
constexpr bool isWalkKnown = true;
#else
constexpr bool isWalkKnown = false;
#endif

/// The frames from the caller of this function on, the outermost first: by our own walk, by either way, and by the unwinder.
struct Seen {
    Stack simple;
    Stack any;
    Stack unwound;
};

Stack reversed(const std::array<void*, maxFrames>& addresses, std::size_t count) {
    Stack stack(addresses.begin(), addresses.begin() + static_cast<std::ptrdiff_t>(count));
    std::reverse(stack.begin(), stack.end());
    return stack;
}

[[gnu::noinline]] void look(Seen& seen) {
    std::array<void*, maxFrames> addresses{};
    seen.simple = reversed(addresses, detail::walkSimpleFrames(addresses));
    seen.any = reversed(addresses, detail::walkStack(addresses));
    seen.unwound = reversed(addresses, static_cast<std::size_t>(::backtrace(addresses.data(), static_cast<int>(addresses.size()))));
    if constexpr (test::isSanitized) seen.unwound.pop_back();    // the frame of the sanitizer's own backtrace()
}

/// The frames that two walks have in common: all but the innermost, which differ by the place of the call.
std::size_t commonFrames(const Stack& one, const Stack& other) {
    const auto end = std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first;
    return static_cast<std::size_t>(end - one.begin());
}

void checkSimple(const Seen& seen) {
    REQUIRE(seen.unwound.size() > 3);
    CHECK(seen.any.size() >= seen.unwound.size());
    CHECK(commonFrames(seen.any, seen.unwound) >= seen.unwound.size() - 1);
    if (!isWalkKnown) return;
    CHECK(seen.simple.size() == seen.unwound.size());
    CHECK(commonFrames(seen.simple, seen.unwound) == seen.unwound.size() - 1);
}

/// The unwinder has walked, because our own walk does not know a frame.
void checkUnwound(const Seen& seen) {
    CHECK(seen.simple.empty());
    REQUIRE(seen.unwound.size() > 3);
    CHECK(commonFrames(seen.any, seen.unwound) >= seen.unwound.size() - 1);
}

[[gnu::noinline]] void recurse(int depth, const std::function<void()>& last) {
    if (depth == 0)
        last();
    else
        recurse(depth - 1, last);
    asm volatile("" ::: "memory");
}

thread_local const std::function<void()>* inSort = nullptr;

/// Calls from within a function of the C library, which keeps no frame pointer.
void fromSort(const std::function<void()>& last) {
    std::array<int, 2> values{2, 1};
    inSort = &last;
    std::qsort(values.data(), values.size(), sizeof(int), [](const void*, const void*) {
        (*inSort)();
        return 0;
    });
}

[[gnu::noinline]] void withLargeFrame(const std::function<void()>& last) {
    std::array<char, 200'000> large;
    asm volatile("" ::"r"(large.data()) : "memory");
    last();
    asm volatile("" ::"r"(large.data()) : "memory");
}

/// A frame whose size is known only when it runs.
[[gnu::noinline]] void withVariableFrame(std::size_t byteCount, const std::function<void()>& last) {
    void* const memory = __builtin_alloca(byteCount);
    asm volatile("" ::"r"(memory) : "memory");
    last();
    asm volatile("" ::"r"(memory) : "memory");
}

/// A function that keeps a number, which is no address, in the register of the frame pointer while it calls. Only its table says where the
/// caller's value is.
#if defined(__x86_64__) && defined(__linux__)
asm(R"(
    .pushsection .text
    .type ferryTestHostileFramePointer, @function
ferryTestHostileFramePointer:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq $0x123456789, %rbp
    call *%rdi
    popq %rbp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size ferryTestHostileFramePointer, . - ferryTestHostileFramePointer
    .popsection
)");
extern "C" void ferryTestHostileFramePointer(void (*function)());
#else
void ferryTestHostileFramePointer(void (*function)()) { function(); }
#endif

Seen seenFromHostile;

Seen seenInSignal;

void handleSignal(int) { look(seenInSignal); }

Seen seenBySignal(int flags) {
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = handleSignal;
    action.sa_flags = flags;
    ::sigaction(SIGUSR2, &action, &before);
    ::raise(SIGUSR2);
    ::sigaction(SIGUSR2, &before, nullptr);
    return seenInSignal;
}

}    // namespace

}    // namespace stackwalk

using namespace stackwalk;

TEST_CASE("stack walk: finds the frames that the unwinder finds") {
    Seen seen;
    for (int round = 0; round < 3; ++round) {    // later rounds find the rules kept
        recurse(10, [&] { look(seen); });
        checkSimple(seen);
    }
}

TEST_CASE("stack walk: crosses frames without frame pointer, of the C library and of variable size") {
    Seen seen;
    fromSort([&] { recurse(3, [&] { look(seen); }); });
    checkSimple(seen);
    for (const std::size_t byteCount : {16, 5'000, 300'000}) {
        withVariableFrame(byteCount, [&] { fromSort([&] { look(seen); }); });
        checkSimple(seen);
    }
    ferryTestHostileFramePointer([] { look(seenFromHostile); });
    checkSimple(seenFromHostile);
}

TEST_CASE("stack walk: a frame of any size is crossed, by the unwinder where our own rule has no room") {
    Seen seen;
    withLargeFrame([&] { look(seen); });
    REQUIRE(seen.unwound.size() > 3);
    CHECK(commonFrames(seen.any, seen.unwound) >= seen.unwound.size() - 1);
}

TEST_CASE("stack walk: a deep recursion gives the innermost frames") {
    std::array<void*, 68> addresses{};
    std::size_t count = 0;
    recurse(2'000, [&] { count = detail::walkStack(addresses); });
    CHECK(count == addresses.size());
    CHECK(std::find(addresses.begin(), addresses.end(), nullptr) == addresses.end());
    if (isWalkKnown) {
        recurse(2'000, [&] { count = detail::walkSimpleFrames(addresses); });
        CHECK(count == addresses.size());
    }
}

TEST_CASE("stack walk: a module that is loaded to the place of an unloaded one has its own rules") {
    for (int round = 0; round < 6; ++round) {
        const char* const name = round % 2 == 0 ? "ferryFramesOfModule200.so" : "ferryFramesOfModule1000.so";
        void* const module = ::dlopen(test::besideProgram(name).c_str(), RTLD_NOW | RTLD_LOCAL);
        REQUIRE(module != nullptr);
        using CallBack = void (*)(void (*)(void*), void*);
        const auto callBack = reinterpret_cast<CallBack>(::dlsym(module, "ferryTestCallBack"));
        REQUIRE((callBack != nullptr));
        Seen seen;
        callBack([](void* place) { look(*static_cast<Seen*>(place)); }, &seen);
        checkSimple(seen);
        REQUIRE(::dlclose(module) == 0);
    }
}

TEST_CASE("stack walk: no room for frames gives none") {
    CHECK(detail::walkSimpleFrames({}) == 0);
    CHECK(detail::walkStack({}) == 0);
}

TEST_CASE("stack walk: threads end at the beginning of their stacks") {
    std::vector<std::thread> threads;
    std::vector<Seen> seen(4);
    for (Seen& one : seen)
        threads.emplace_back([&one] {
            for (int round = 0; round < 200; ++round) recurse(round % 10, [&] { fromSort([&] { look(one); }); });
        });
    for (std::thread& thread : threads) thread.join();
    for (const Seen& one : seen) CHECK(commonFrames(one.any, one.unwound) >= one.unwound.size() - 1);
    checkSimple(seen.front());
}

TEST_CASE("stack walk: the handler of a signal is left to the unwinder, also on a stack of its own") {
    checkUnwound(seenBySignal(0));
    std::vector<char> memory(std::size_t{1} << 18);
    stack_t own{};
    own.ss_sp = memory.data();
    own.ss_size = memory.size();
    stack_t before{};
    REQUIRE(::sigaltstack(&own, &before) == 0);
    const Seen seen = seenBySignal(SA_ONSTACK);
    REQUIRE(::sigaltstack(&before, nullptr) == 0);
    checkUnwound(seen);
}

TEST_CASE("stack walk: an exception thrown in the handler of a signal has its stack") {
    if (!isThrowHookLinked()) return;
    static std::exception_ptr thrown;
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = [](int) { thrown = ferry::test::thrownBy([] { throw std::runtime_error("in a handler"); }); };
    ::sigaction(SIGUSR2, &action, &before);
    ::raise(SIGUSR2);
    ::sigaction(SIGUSR2, &before, nullptr);
    const auto record = detail::throwRecordOf(detail::objectOf(thrown));
    REQUIRE(record != nullptr);
    CHECK(record->frames.size() > 5);
    thrown = nullptr;
}
