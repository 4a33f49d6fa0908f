#include <ferry/serialization/exception/stack/StackWalk.hpp>

#include <execinfo.h>
#include <algorithm>
#include <cstdint>

#include <ferry/serialization/exception/stack/FrameRule.hpp>
#include <ferry/serialization/platform/System.hpp>

#if defined(__x86_64__) && defined(__linux__)

#include <pthread.h>
#include <array>
#include <atomic>

#endif

namespace ferry::detail {

#if defined(__x86_64__) && defined(__linux__)

namespace {

using Word [[gnu::may_alias]] = std::uintptr_t;

/// A rule in 17 bits. 13 bits: words up to the caller's stack. 3 bits: words down to the frame pointer, less one. 1 bit: the base.
class PackedRule {
public:
    explicit PackedRule(std::uint64_t bits) noexcept : bits_(static_cast<std::uint32_t>(bits)) {}
    explicit PackedRule(const FrameRule& rule) noexcept : bits_(unknown) {
        if (rule.kind == FrameRule::Kind::Outermost) bits_ = outermost;
        if (rule.kind != FrameRule::Kind::Simple) return;
        const std::uint32_t words = rule.callerStackBytes / wordBytes;
        const std::uint32_t saved = rule.savedFramePointer == 0 ? 0 : rule.savedFramePointer / wordBytes - 1;
        if (words < unknown && saved <= 7) bits_ = words | saved << 13 | (rule.isFromFramePointer ? 1u << 16 : 0u);
    }

    std::uint64_t bits() const noexcept { return bits_; }
    bool isOutermost() const noexcept { return bits_ == outermost; }
    bool isSimple() const noexcept { return words() - 1 < unknown - 1; }
    bool isFromFramePointer() const noexcept { return (bits_ >> 16 & 1) != 0; }
    std::uintptr_t callerStackBytes() const noexcept { return std::uintptr_t{words()} * wordBytes; }
    /// 0: the frame pointer is that of the caller.
    std::uintptr_t savedFramePointer() const noexcept {
        const std::uintptr_t saved = bits_ >> 13 & 7;
        return saved == 0 ? 0 : (saved + 1) * wordBytes;
    }

private:
    static constexpr std::uint32_t wordBytes = sizeof(std::uintptr_t);
    static constexpr std::uint32_t outermost = 0;
    static constexpr std::uint32_t unknown = 0x1fff;

    std::uint32_t words() const noexcept { return bits_ & unknown; }

    std::uint32_t bits_;
};

/// Keeps rules by return address. One entry is one atomic word, so no lock is needed: 47 bits of address, below 17 bits of
/// rule.
///
/// A rule is forgotten when a module was unloaded, because another module may come to its place. A rule that a thread adds is that of a
/// function on its own stack, which cannot be unloaded meanwhile.
class KeptRules {
public:
    /// Forgets all rules if a module was unloaded since the last call.
    void update(std::uint64_t unloads) noexcept {
        if (unloads_.load(std::memory_order_acquire) == unloads) return;
        for (std::atomic<std::uint64_t>& entry : entries_) entry.store(0, std::memory_order_relaxed);
        unloads_.store(unloads, std::memory_order_release);
    }

    /// The rule of a return address, packed.
    PackedRule at(std::uintptr_t returnAddress) noexcept {
        constexpr std::uint64_t spread = 0x9e37'79b9'7f4a'7c15;
        std::atomic<std::uint64_t>& entry = entries_[returnAddress * spread >> (64 - placeBits)];
        const std::uint64_t known = entry.load(std::memory_order_relaxed);
        if ((known & addressMask) == returnAddress && returnAddress != 0) [[likely]]
            return PackedRule(known >> addressBits);
        return learn(returnAddress, entry);
    }

private:
    static constexpr unsigned placeBits = 12;
    static constexpr unsigned addressBits = 47;
    static constexpr std::uint64_t addressMask = (std::uint64_t{1} << addressBits) - 1;

    [[gnu::noinline]] static PackedRule learn(std::uintptr_t returnAddress, std::atomic<std::uint64_t>& entry) noexcept {
        if (returnAddress == 0 || returnAddress > addressMask) return PackedRule(FrameRule());
        const PackedRule rule(FrameRule::at(returnAddress));
        entry.store(returnAddress | rule.bits() << addressBits, std::memory_order_relaxed);
        return rule;
    }

    std::array<std::atomic<std::uint64_t>, std::size_t{1} << placeBits> entries_{};
    std::atomic<std::uint64_t> unloads_{0};
};

constinit KeptRules keptRules;    // no destructor: exceptions are thrown until the very end of the program

/// The memory of a thread's stack; empty: unknown.
struct StackMemory {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    bool isAsked = false;

    bool contains(std::uintptr_t address) const noexcept { return address >= begin && address < end; }

    static const StackMemory& ofThisThread() noexcept {
        static thread_local constinit StackMemory memory{};
        if (!memory.isAsked) memory.ask();
        return memory;
    }

private:
    void ask() noexcept {
        isAsked = true;
        pthread_attr_t attributes{};
        if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
        void* lowest = nullptr;
        std::size_t byteCount = 0;
        if (::pthread_attr_getstack(&attributes, &lowest, &byteCount) == 0) {
            begin = reinterpret_cast<std::uintptr_t>(lowest);
            end = begin + byteCount;
        }
        ::pthread_attr_destroy(&attributes);
    }
};

/// The registers of one frame.
struct Frame {
    std::uintptr_t address;
    std::uintptr_t stack;
    std::uintptr_t framePointer;
};

/// Replaces the frame by that of its caller. False: the rule does not fit the stack.
__attribute__((no_sanitize("address"), no_sanitize("thread"))) inline bool goToCaller(Frame& frame, PackedRule rule,
                                                                                      std::uintptr_t stackEnd) noexcept {
    constexpr std::uintptr_t wordBytes = sizeof(Word);
    const std::uintptr_t base = rule.isFromFramePointer() ? frame.framePointer : frame.stack;
    if (base < frame.stack || base >= stackEnd || base % wordBytes != 0 || rule.callerStackBytes() > stackEnd - base) return false;
    const std::uintptr_t callerStack = base + rule.callerStackBytes();
    if (const std::uintptr_t saved = rule.savedFramePointer(); saved != 0) {
        if (saved > callerStack - frame.stack) return false;
        frame.framePointer = *reinterpret_cast<const Word*>(callerStack - saved);
    }
    frame.address = *reinterpret_cast<const Word*>(callerStack - wordBytes);
    frame.stack = callerStack;
    return true;
}

}    // namespace

[[gnu::noinline]] std::size_t walkSimpleFrames(std::span<void*> addresses) noexcept {
    Frame frame{};
    asm volatile(
        "leaq 0(%%rip), %0\n\t"
        "movq %%rsp, %1\n\t"
        "movq %%rbp, %2"
        : "=&r"(frame.address), "=&r"(frame.stack), "=&r"(frame.framePointer));
    const StackMemory& memory = StackMemory::ofThisThread();
    if (!memory.contains(frame.stack)) return 0;
    keptRules.update(platform::countOfUnloads());
    const std::uintptr_t stackEnd = memory.end;
    PackedRule rule = keptRules.at(frame.address);    // of this function, which is not stored
    for (std::size_t count = 0; count < addresses.size(); ++count) {
        if (!rule.isSimple() || !goToCaller(frame, rule, stackEnd)) return 0;
        addresses[count] = reinterpret_cast<void*>(frame.address);
        rule = keptRules.at(frame.address);
        if (rule.isOutermost()) return count + 1;
    }
    return addresses.size();
}

#else

std::size_t walkSimpleFrames(std::span<void*>) noexcept { return 0; }

#endif

[[gnu::noinline]] std::size_t walkStack(std::span<void*> addresses) noexcept {
    if (addresses.empty()) return 0;
    const std::size_t count = walkSimpleFrames(addresses);
    if (count > 0) return count;
    return static_cast<std::size_t>(std::max(::backtrace(addresses.data(), static_cast<int>(addresses.size())), 0));
}

}    // namespace ferry::detail
