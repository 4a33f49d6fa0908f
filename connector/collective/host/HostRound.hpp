#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include <ferry/connector/collective/host/HostBoard.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>

namespace ferry::detail {

class Collectives;

/// The element type of a collective of plain data.
struct PlainType {
    std::int32_t key = 0;
    std::size_t elementBytes = 0;
    std::string_view name{};    ///< for errors
};

/// One rank's part in one collective over the board of its host. The round waits for the entries of other ranks. Every wait is in the
/// mailbox, where any exception that is due wakes it.
///
/// Ownership: borrows the collectives. Errors of all calls that wait: any exception that is due at the mailbox; the exception for which
/// another rank gave this collective up; RankHasLeft; LostRank; CollectiveMismatch for an entry of another collective or type.
class HostRound {
public:
    /// Waits until there is room on the board for an entry.
    HostRound(Collectives& collectives, const Envelope& envelope, const PlainType& type);
    HostRound(const HostRound&) = delete;
    HostRound& operator=(const HostRound&) = delete;
    ~HostRound();

    HostBoard& board() noexcept { return board_; }
    const HostBoard& board() const noexcept { return board_; }

    /// Returns room for byteCount bytes of this rank's data, at most capacity() of the board. Waits until there is room. To be called
    /// before publish().
    std::byte* ownData(std::size_t byteCount);
    /// Shows this rank's entry to all others.
    void publish(HostEntry::Form form, std::size_t elementCount);

    /// Waits for the entry of a rank.
    const HostEntry& await(int rank);
    /// The entry that has been awaited, and its data.
    const HostEntry& entryOf(int rank) const noexcept { return board_.seenEntryOf(number_, rank); }
    const std::byte* dataOf(int rank) const noexcept { return board_.dataOf(number_, rank); }
    void awaitAll();

    /// Waits until every rank has called commit(). From then on no rank leaves the collective before it is complete, so that blocking calls
    /// of the team are safe. When an exception ends the wait, no rank has committed itself. An exception that comes too late for that is
    /// thrown later.
    void commit();

    /// Makes the error that the entry of a rank differs from this rank's entry.
    CollectiveMismatch mismatch(int rank, std::string here, std::string there) const;

private:
    template <class Condition>
    void waitFor(const Condition& isReached, int rank);
    void throwLater(const std::exception_ptr& exception) noexcept;
    std::optional<int> whoHasLeft(int rank) const;
    void verify(const HostEntry& entry, int rank) const;
    void throwEarlierMismatch(int rank) const;
    std::string describeTyped(const HostBoard::Number& number, int rank) const;

    Collectives& collectives_;
    HostBoard& board_;
    Envelope envelope_;
    PlainType type_;
    HostBoard::Number number_;
    bool isWide_ = false;    ///< this rank's data lies in a wide place
};

}    // namespace ferry::detail
