#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/host/HostRound.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/transport/HostTeam.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

/// Combines plain elements of two ranks into one: left[i] = left[i] op right[i]. May throw.
struct PlainOperator {
    void (*combine)(void* context, void* left, const void* right, std::size_t count) = nullptr;
    void* context = nullptr;
    std::optional<PlainReduction> known{};    ///< the same operator, where the team may know it
};

/// The collectives of plain data among ranks of one host. Small data goes over the board. Large data goes by the team's own collectives,
/// after all ranks have committed themselves to them. So a failure wakes every wait, and no rank is left in a blocking call.
///
/// Each call is one rank's part in one collective, within Collectives::perform, on ranks with a board. makeRoom(element count) returns
/// memory for the elements that come. When makeRoom throws, all ranks that wait for this one throw the same exception. Errors: as
/// HostRound.
class HostCollectives {
public:
    using MakeRoom = std::function<void*(std::size_t)>;
    /// Makes memory for the parts of all ranks: makeParts(element count of each rank).
    using MakeParts = std::function<void*(std::span<const std::size_t>)>;

    HostCollectives(Collectives& collectives, const Envelope& envelope, const PlainType& type)
        : collectives_(collectives),
          envelope_(envelope),
          type_(type) {}

    void barrier();

    /// Returns what make() makes before any other call. When make() throws, this rank gives the collective up, and all other ranks throw
    /// the same exception.
    template <class Make>
    auto prepare(const Make& make) {
        try {
            return make();
        } catch (...) {
            takeNoPart();
            throw;
        }
    }

    /// Refuses the collective; called instead of any other call. This rank takes no part in it, and all other ranks throw the same error.
    /// Throws the error.
    [[noreturn]] void refuse(const UsageError& error);

    /// own, count: the elements of the root. Both are ignored on other ranks. Returns false when they are too many for the board and the
    /// team's collectives may not be called. Nothing has been moved then.
    bool broadcast(const void* own, std::size_t count, int root, const MakeRoom& makeRoom);

    /// Gathers all elements on the root, in the order of ranks.
    void gather(const void* own, std::size_t count, int root, const MakeParts& makeParts);

    /// parts: the elements that the root has for each rank, one part after the other. counts: the number of elements for each rank.
    void scatter(const void* parts, std::span<const std::size_t> counts, int root, const MakeRoom& makeRoom);

    /// Gathers all elements on every rank. Returns false when they are too many for the team. Nothing has been moved then.
    bool allGather(const void* own, std::size_t count, const MakeParts& makeParts);

    /// Exchanges countOfRank elements from each rank for each rank. count: the number of elements of this rank in all. Returns false as
    /// allGather() does.
    bool allToAllEvenly(const void* own, std::size_t count, std::size_t countOfRank, const MakeRoom& makeRoom);

    /// Exchanges differing numbers of elements. counts: the number of elements for each rank. The memory for the parts is not that of own.
    /// Returns false as allGather() does.
    bool allToAll(const void* own, std::span<const std::size_t> counts, const MakeParts& makeParts);

    /// combined: memory for the result, on the root; on every rank for HostTeam::AllRanks. own and combined may be one place. Returns false
    /// when there are many elements and the team does not know the operator or cannot move them. All ranks have equally many elements then,
    /// and nothing has been combined.
    bool reduce(const void* own, void* combined, std::size_t count, const PlainOperator& combine, int root);
    /// Combines the values of the ranks up to this one. own and combined must not be one place. Returns false as reduce() does.
    bool scan(const void* own, void* combined, std::size_t count, const PlainOperator& combine);

private:
    std::size_t bytes(std::size_t count) const noexcept { return count * type_.elementBytes; }
    void publish(HostRound& round, const void* own, std::size_t count);
    template <class Make>
    void* makeOrGiveUp(const Make& make);
    void requireOneForEach(std::size_t count, std::size_t rankCount);
    [[noreturn]] void giveUp(const UsageError& error);
    void takeNoPart();
    std::size_t bytesOf(const HostEntry& entry, int rank) const;
    std::size_t requirePart(std::size_t count, const HostEntry& entry, int rank) const;
    void writeParts(std::byte* target, const void* own, std::span<const std::size_t> counts, int ownRank) const;
    void takePart(const std::byte* data, int from, const HostRound& round, void* target, std::size_t byteCount) const;
    void requireSameCount(const HostRound& round, int lastRank) const;
    bool isSmallReduction(std::size_t count, HostRound& round) const;
    void combineUpTo(int lastRank, const HostRound& round, void* combined, std::size_t count, const PlainOperator& combine) const;
    void sendLarge(int to, const void* data, std::size_t byteCount);
    void takeLarge(int from, void* target, std::size_t byteCount);

    Collectives& collectives_;
    Envelope envelope_;
    PlainType type_;
};

}    // namespace ferry::detail
