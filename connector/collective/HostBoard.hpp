#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/connector/transport/HostTeam.hpp>

namespace ferry {

/// The entry of a rank on the board when it enters a collective: the name of the collective, and the data that the rank brings.
struct HostEntry {
    enum class Form : std::int32_t {
        Here = 0,     ///< the data follows
        Large = 1,    ///< the data is too large for the board
    };

    std::int32_t key = 0;        ///< of the collective (Operation)
    std::int32_t region = 0;     ///< the guarded region
    std::int32_t typeKey = 0;    ///< of the elements
    Form form = Form::Here;
    std::uint64_t elementCount = 0;
    std::uint64_t before = 0;    ///< which collectives the rank entered before: 16 bits for each of the last four, the latest lowest
};

/// The board of a host: memory in which each rank writes its entries of collectives for all others to read. A ring of a few places, so
/// that ranks may be ahead of each other by as many collectives. The collective with the number n has the place n % places.
///
/// Lays out the memory and orders the access to it; waits for nothing. Ownership: borrows the team. Threads: the one thread of its rank;
/// the memory is shared by all ranks, and ordered by the stamps.
class HostBoard {
public:
    /// More would not have room for a number of each in an entry.
    static constexpr int mostRanks = 256;

    /// Memory for so many ranks.
    static std::size_t memoryBytes(int rankCount);

    HostBoard(HostTeam& team, int rank, int rankCount) noexcept;
    HostBoard(const HostBoard&) = delete;
    HostBoard& operator=(const HostBoard&) = delete;

    HostTeam& team() noexcept { return team_; }
    int rank() const noexcept { return rank_; }
    int rankCount() const noexcept { return rankCount_; }
    /// The data that an entry has room for.
    std::size_t capacity() const noexcept { return slotBytes_ - sizeof(Slot) - nameBytes; }

    /// A collective of all ranks: its number, and when the last guarded region failed (logical time). Both are the same on all ranks.
    struct Number {
        std::uint32_t epoch = 0;
        std::uint64_t count = 0;
    };
    Number next() noexcept { return {epoch_, ++count_}; }

    /// The collectives that this rank has entered, as a mark to go back to.
    struct Mark {
        std::uint64_t count = 0;
        std::uint64_t before = 0;
    };
    Mark mark() const noexcept { return {count_, before_}; }
    /// After a guarded region that failed at this time, when all ranks have left what they were in: what was entered since has never been.
    void goBack(const Mark& mark, std::uint32_t epoch) noexcept;

    /// Whether all ranks are through with the collective whose place this one takes, so that this rank may write.
    bool hasRoom(const Number& number) noexcept;

    /// This rank's place for the entry and its data; others see them with publish().
    HostEntry& own(const Number& number) noexcept { return slotOf(number, rank_).entry; }
    std::byte* ownData(const Number& number) noexcept { return dataOf(slotOf(number, rank_)); }
    /// The name of the elements' type, for errors: its beginning.
    void nameOwn(const Number& number, std::string_view typeName) noexcept;
    std::string nameOf(const Number& number, int rank) const;
    void publish(const Number& number) noexcept;
    /// Withdraws this rank's entry. A rank that has not read it will never read it.
    void withdraw(const Number& number) noexcept;
    /// The entry that stands where a rank's entry of this collective would.
    const HostEntry* earlierEntryOf(const Number& number, std::uint64_t ago, int rank) const noexcept {
        return number.count > ago ? entryOf({number.epoch, number.count - ago}, rank) : nullptr;
    }

    /// The entry of a rank; null when it has not been published.
    const HostEntry* entryOf(const Number& number, int rank) const noexcept;
    /// The entry of a rank whose entry has been seen. The rank may have withdrawn it since.
    const HostEntry& seenEntryOf(const Number& number, int rank) const noexcept { return slotOf(number, rank).entry; }
    /// The data behind a published entry; at most capacity() bytes.
    const std::byte* dataOf(const Number& number, int rank) const noexcept { return dataOf(slotOf(number, rank)); }

    /// This rank reads nothing of the collective any more.
    void finish(const Number& number) noexcept;

    // A commitment is that of all ranks or of none: a rank may take its own back while any other is missing.
    void commit(const Number& number) noexcept;
    bool isCommitted(const Number& number) const noexcept;
    /// False when all have committed themselves, so that it is too late.
    bool takeBack(const Number& number) noexcept;

    /// Memory for a number of each rank in one collective, used again and again.
    struct Numbers {
        std::vector<std::size_t> incoming;
        std::vector<std::size_t> outgoing;
        std::vector<std::size_t> outgoingBytes;
    };
    Numbers& numbersOfRanks() noexcept { return numbersOfRanks_; }

private:
    static constexpr std::size_t places = 8;

    static constexpr std::size_t nameBytes = 64;

    /// The data follow in the same line of the cache. The name of the type is at the end of the place, where nobody reads it but
    /// for an error.
    struct alignas(16) Slot {
        std::atomic<std::uint64_t> stamp{0};
        HostEntry entry;
    };
    static_assert(sizeof(Slot) == 48);
    struct alignas(64) Counter {
        std::atomic<std::uint64_t> value{0};
    };
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "the memory is shared by processes");

    static std::size_t slotBytesFor(int rankCount) noexcept;
    /// Both in one word. The same again when both have gone round, which no entry outlives.
    static std::uint64_t stampOf(const Number& number) noexcept {
        return (std::uint64_t{number.epoch} << 32) | static_cast<std::uint32_t>(number.count);
    }
    static std::size_t placeOf(const Number& number) noexcept { return number.count % places; }

    Slot& slotOf(const Number& number, int rank) const noexcept;
    static std::byte* dataOf(Slot& slot) noexcept { return reinterpret_cast<std::byte*>(&slot) + sizeof(Slot); }
    char* nameIn(const Number& number, int rank) const noexcept;
    std::atomic<std::uint64_t>& finishedBy(int rank) const noexcept { return counters_[static_cast<std::size_t>(rank)].value; }
    std::atomic<std::uint64_t>& commitments(const Number& number) const noexcept {
        return counters_[static_cast<std::size_t>(rankCount_) + placeOf(number)].value;
    }

    HostTeam& team_;
    int rank_;
    int rankCount_;
    std::size_t slotBytes_;
    Counter* counters_;    ///< what each rank has finished, then the commitments of each place
    std::byte* slots_;
    std::uint32_t epoch_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t before_ = 0;
    std::uint64_t roomUntil_ = 0;    ///< there is room up to this number
    Numbers numbersOfRanks_;
};

}    // namespace ferry
