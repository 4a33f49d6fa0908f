#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <ferry/guard/known/ShortText.hpp>

namespace ferry::pmpi {

/// The last calls of MPI that this process has made in regions, for the roll call.
///
/// Threads: one thread notes at a time. Any thread may read: a call that is being noted may then look mixed, and the reader looks again.
class [[gnu::visibility("hidden")]] CallRing {
public:
    static constexpr std::size_t callCount = 64;
    static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::min();    ///< no value that MPI uses

    struct Call {
        const char* name = nullptr;          ///< a literal; null: no call
        std::uint64_t number = 0;            ///< of a collective on its communicator; 0: no collective
        std::int32_t communicator = none;    ///< id
        std::int32_t peer = none;            ///< the other rank of a message, or the root; in the communicator
        std::int32_t count = none;           ///< elements, or requests
        std::int32_t tag = none;             ///< none: no message
        bool isPoll = false;                 ///< programs repeat the call until it succeeds
        bool operator==(const Call&) const = default;
    };
    /// The operations for which a long wait waits, in words, and the rank that must act; none: no rank, or several ranks.
    struct Pending {
        ShortText<160> text{};
        std::int32_t peer = none;
        const char* test = nullptr;    ///< the call that is repeated in vain, a literal; null: the rank is in one call that waits
    };

    /// A call of the library in which the guard cannot wake this rank, for as long as the object lives. name: a literal.
    class Unwakeable {
    public:
        explicit Unwakeable(const char* name) noexcept;
        Unwakeable(const Unwakeable&) = delete;
        Unwakeable& operator=(const Unwakeable&) = delete;
        ~Unwakeable();
    };

    static CallRing& ofProcess() noexcept;

    void note(const Call& call) noexcept {
        const std::uint64_t number = number_.load(std::memory_order_relaxed) + 1;
        calls_[number % callCount] = call;
        number_.store(number, std::memory_order_release);
    }
    /// Notes a call that programs repeat until it succeeds: once among such calls in a row.
    void notePoll(Call call) noexcept {
        constexpr std::size_t mostInTurn = 8;    // calls that a program repeats by turns
        const std::uint64_t number = number_.load(std::memory_order_relaxed);
        for (std::size_t i = 0; i < mostInTurn; ++i) {
            const Call& before = calls_[(number - i) % callCount];
            if (!before.isPoll) break;
            if (before.name == call.name && before.communicator == call.communicator) return;
        }
        call.isPoll = true;
        note(call);
    }
    /// Notes that the process goes on to repeat tests in vain.
    void noteVainTest() noexcept { testedAt_.store(millisNow(), std::memory_order_release); }
    /// Whether it has done so in the last second.
    bool repeatsTests() const noexcept { return millisNow() - testedAt_.load(std::memory_order_acquire) < 1000; }
    /// Notes that this process comes to the collective of this number on MPI_COMM_WORLD.
    void noteEnteredWorld(std::uint64_t number) noexcept { enteredWorld_.store(number, std::memory_order_relaxed); }
    std::uint64_t enteredWorld() const noexcept { return enteredWorld_.load(std::memory_order_relaxed); }
    /// Notes that the present call waits for long.
    void noteWait(const Pending& pending) noexcept;
    /// Notes that a call has waited for long, and is over.
    void noteWaitOver() noexcept { waitsOver_.fetch_add(1, std::memory_order_release); }

    /// Grows with each call and each long wait that ends. Two equal values: the process has made no progress in MPI meanwhile.
    std::uint64_t progress() const noexcept { return number_.load(std::memory_order_acquire) + waitsOver_.load(std::memory_order_acquire); }
    /// The name of the call in which the guard cannot wake this rank; null: none.
    const char* unwakeable() const noexcept { return unwakeable_.load(std::memory_order_acquire); }
    /// The call of the process that was noted last. Without a name: none.
    Call last() const noexcept { return calls_[number_.load(std::memory_order_acquire) % callCount]; }
    /// The operations for which the last call waits; without a text: not known, or it does not wait for long.
    Pending pending() const noexcept;
    /// The last calls in words, the last one at the end. Equal calls in a row are one.
    std::string inWords(std::size_t mostCalls) const;

private:
    static std::int64_t millisNow() noexcept;

    std::array<Call, callCount> calls_{};
    std::atomic<std::uint64_t> number_{0};    // of the last call, from 1
    std::atomic<std::uint64_t> waitsOver_{0};
    std::atomic<std::uint64_t> enteredWorld_{0};
    std::atomic<const char*> unwakeable_{nullptr};
    std::atomic<std::int64_t> testedAt_{std::numeric_limits<std::int64_t>::min() / 2};    // milliseconds of the steady clock
    std::atomic<std::uint64_t> pendingAt_{0};    // progress() when pending_ was noted, plus 1; 0: it is being changed
    Pending pending_{};
};

/// The one object. It has no destructor, so that exit handlers may use it.
extern CallRing callRing __attribute__((visibility("hidden")));

inline CallRing& CallRing::ofProcess() noexcept { return callRing; }

inline CallRing::Unwakeable::Unwakeable(const char* name) noexcept { callRing.unwakeable_.store(name, std::memory_order_release); }

inline CallRing::Unwakeable::~Unwakeable() { callRing.unwakeable_.store(nullptr, std::memory_order_release); }

/// The call in words, such as "MPI_Recv from rank 3 (tag 7) on MPI_COMM_WORLD".
std::string inWords(const CallRing::Call& call);
/// The place of a communicator in words: its name for that of MPI, otherwise its number.
std::string communicatorName(std::int32_t id);

}    // namespace ferry::pmpi
