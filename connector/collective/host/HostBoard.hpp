#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/connector/transport/HostTeam.hpp>

namespace ferry::detail {

/// The entry that a rank writes on the board when it enters a collective. The entry says which collective it is and which data the rank
/// brings.
struct HostEntry {
    enum class Form : std::int32_t {
        Here = 0,     ///< the data lies on the board
        Large = 1,    ///< the data is too large for the board
    };

    std::int32_t key = 0;        ///< key of the collective (Operation)
    std::int32_t region = 0;     ///< the guarded region
    std::int32_t typeKey = 0;    ///< key of the elements' type
    Form form = Form::Here;
    std::uint64_t elementCount = 0;
    std::uint64_t before = 0;    ///< the collectives entered before: 16 bits for each of the last four, the latest lowest
    std::uint32_t isWide = 0;    ///< not 0: the data lies in a wide place, and not behind the entry
};

/// The board of a host: memory in which each rank writes its entries of collectives, for all other ranks to read. The board is a ring of
/// places. So a rank may be ahead of another rank by as many collectives. The collective with the number n has the place n % places. A
/// place has room for an entry and little data. More data lies in one of a few wide places: number n has the wide place n % widePlaces.
/// Many places matter where ranks share a processor. Each rank then does many small collectives before it lets another rank run.
///
/// The board lays out the memory and orders the access to it. The board never waits. Ownership: borrows the team. Threads: the one thread
/// of its rank. All ranks share the memory, and the stamps order the access to it.
class HostBoard {
public:
    /// The largest number of ranks. With more ranks, an entry has no room for a number of each rank.
    static constexpr int mostRanks = 256;

    /// The number of bytes that rankCount ranks need.
    static std::size_t memoryBytes(int rankCount);

    HostBoard(HostTeam& team, int rank, int rankCount) noexcept;
    HostBoard(const HostBoard&) = delete;
    HostBoard& operator=(const HostBoard&) = delete;

    HostTeam& team() noexcept { return team_; }
    int rank() const noexcept { return rank_; }
    int rankCount() const noexcept { return rankCount_; }
    /// The number of bytes of data that a wide place has room for.
    std::size_t capacity() const noexcept { return wideBytes_; }
    /// The number of bytes of data that a place has room for behind the entry.
    static constexpr std::size_t narrowCapacity() noexcept { return slotBytes - sizeof(Slot) - nameBytes; }

    /// Identifies a collective of all ranks. count: its number. epoch: the logical time when the last guarded region failed. Both are the
    /// same on all ranks.
    struct Number {
        std::uint32_t epoch = 0;
        std::uint64_t count = 0;
    };
    Number next() noexcept { return {epoch_, ++count_}; }

    /// The collectives that this rank has entered so far, as a mark to go back to.
    struct Mark {
        std::uint64_t count = 0;
        std::uint64_t before = 0;
    };
    Mark mark() const noexcept { return {count_, before_}; }
    /// Goes back to the mark after a guarded region that failed at the logical time epoch. All ranks have left their collectives by then.
    /// The collectives entered since the mark count as never entered.
    void goBack(const Mark& mark, std::uint32_t epoch) noexcept;

    /// Tells whether all ranks have finished the collective that had this place before, so that this rank may write its entry.
    bool hasRoom(const Number& number) noexcept { return isFinishedBefore(number, places); }
    /// Tells the same of the wide place, for data that do not fit behind the entry.
    bool hasWideRoom(const Number& number) noexcept { return isFinishedBefore(number, widePlaces); }

    /// This rank's place for the entry and its data. Other ranks see both after publish().
    HostEntry& own(const Number& number) noexcept { return slotOf(number, rank_).entry; }
    /// This rank's place for data: behind the entry, or wide. There must be room (hasRoom, hasWideRoom).
    std::byte* ownData(const Number& number, bool isWide) noexcept { return dataOf(number, rank_, isWide); }
    /// Writes the name of the elements' type, for errors. Only the beginning of a long name is kept.
    void nameOwn(const Number& number, std::string_view typeName) noexcept;
    std::string nameOf(const Number& number, int rank) const;
    void publish(const Number& number) noexcept;
    /// Withdraws this rank's entry. A rank that has not read the entry never will.
    void withdraw(const Number& number) noexcept;
    /// Returns the entry of the rank for an earlier collective; null when there is none. ago: how many collectives ago.
    const HostEntry* earlierEntryOf(const Number& number, std::uint64_t ago, int rank) const noexcept {
        return number.count > ago ? entryOf({number.epoch, number.count - ago}, rank) : nullptr;
    }

    /// Returns the entry of a rank; null when the rank has not published it.
    const HostEntry* entryOf(const Number& number, int rank) const noexcept;
    /// Returns the entry of a rank whose entry has been seen. The rank may have withdrawn the entry since.
    const HostEntry& seenEntryOf(const Number& number, int rank) const noexcept { return slotOf(number, rank).entry; }
    /// Returns the data of a published entry. The data and all that lies behind them on the board are at least capacity() bytes.
    const std::byte* dataOf(const Number& number, int rank) const noexcept {
        return dataOf(number, rank, seenEntryOf(number, rank).isWide != 0);
    }

    /// Notes that this rank reads nothing of the collective any more.
    void finish(const Number& number) noexcept;

    // Either all ranks commit themselves or none. A rank may take back its own commitment while any other commitment is missing.
    void commit(const Number& number) noexcept;
    bool isCommitted(const Number& number) const noexcept;
    /// Returns false when all ranks have committed themselves, so that it is too late.
    bool takeBack(const Number& number) noexcept;

    /// Memory for one number of each rank in a collective, reused for each collective.
    struct Numbers {
        std::vector<std::size_t> incoming;
        std::vector<std::size_t> outgoing;
        std::vector<std::size_t> outgoingBytes;
    };
    Numbers& numbersOfRanks() noexcept { return numbersOfRanks_; }

private:
    static constexpr std::size_t places = 64;
    static constexpr std::size_t widePlaces = 8;

    static constexpr std::size_t slotBytes = 256;
    static constexpr std::size_t nameBytes = 64;

    /// The head of a place. The data follow in the same cache line. The name of the type is at the end of the place, where it is read only
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

    static std::size_t wideBytesFor(int rankCount) noexcept;
    /// Returns both numbers in one word. A stamp repeats only after both numbers have wrapped around. No entry lasts that long.
    static std::uint64_t stampOf(const Number& number) noexcept {
        return (std::uint64_t{number.epoch} << 32) | static_cast<std::uint32_t>(number.count);
    }
    static std::size_t placeOf(const Number& number) noexcept { return number.count % places; }

    bool isFinishedBefore(const Number& number, std::size_t placeCount) noexcept;
    Slot& slotOf(const Number& number, int rank) const noexcept;
    std::byte* dataOf(const Number& number, int rank, bool isWide) const noexcept;
    char* nameIn(const Number& number, int rank) const noexcept;
    std::atomic<std::uint64_t>& finishedBy(int rank) const noexcept { return counters_[static_cast<std::size_t>(rank)].value; }
    std::atomic<std::uint64_t>& commitments(const Number& number) const noexcept {
        return counters_[static_cast<std::size_t>(rankCount_) + placeOf(number)].value;
    }

    HostTeam& team_;
    int rank_;
    int rankCount_;
    std::size_t wideBytes_;
    Counter* counters_;    ///< the number that each rank has finished, then the commitments of each place
    std::byte* slots_;
    std::byte* wideSlots_;
    std::uint32_t epoch_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t before_ = 0;
    std::uint64_t finishedByAll_ = 0;    ///< all ranks have finished up to this number
    Numbers numbersOfRanks_;
};

}    // namespace ferry::detail
