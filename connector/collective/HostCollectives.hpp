#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include <ferry/connector/collective/Collectives.hpp>
#include <ferry/connector/collective/HostRound.hpp>
#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/transport/HostTeam.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

/// How plain elements of two ranks become one: left[i] = left[i] op right[i]. May throw.
struct PlainOperator {
    void (*combine)(void* context, void* left, const void* right, std::size_t count) = nullptr;
    void* context = nullptr;
    std::optional<PlainReduction> known{};    ///< the same, where the team may know it
};

/// The collectives of plain data among ranks of one host: small data goes over the board, large data by the team's own collectives, when
/// all ranks have committed themselves to them, so that a failure wakes every wait and nobody is left in a blocking call.
///
/// Each call is one rank's part in one collective, within Collectives::perform, on ranks with a board. Memory for what comes is asked for
/// with makeRoom(element count), whose exception all ranks throw that wait for this one. Errors: HostRound's.
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

    /// Instead of any other: this rank has no part in the collective, and all others throw the same. Throws the error.
    [[noreturn]] void refuse(const UsageError& error);

    /// own, count: on the root.
    void broadcast(const void* own, std::size_t count, int root, const MakeRoom& makeRoom);

    /// All elements on the root, in the order of ranks.
    void gather(const void* own, std::size_t count, int root, const MakeParts& makeParts);

    /// parts: what the root has for each rank, one after the other; counts: how many elements each gets.
    void scatter(const void* parts, std::span<const std::size_t> counts, int root, const MakeRoom& makeRoom);

    /// All elements on every rank. False when they are too many for the team; nothing has been moved then.
    bool allGather(const void* own, std::size_t count, const MakeParts& makeParts);

    /// countOfRank elements from each rank for each rank, count in all. False as by allGather.
    bool allToAllEvenly(const void* own, std::size_t count, std::size_t countOfRank, const MakeRoom& makeRoom);

    /// Differing numbers. False as by allGather.
    bool allToAll(const void* own, std::span<const std::size_t> counts, const MakeParts& makeParts);

    /// combined: on the root; HostTeam::AllRanks: on every rank. The two may be one place. False when the team does not know the
    /// operator and there are many elements; all ranks have as many then, and nothing has been combined.
    bool reduce(const void* own, void* combined, std::size_t count, const PlainOperator& combine, int root);
    /// Over the ranks up to this one; not in one place. False as by reduce.
    bool scan(const void* own, void* combined, std::size_t count, const PlainOperator& combine);

private:
    std::size_t bytes(std::size_t count) const noexcept { return count * type_.elementBytes; }
    void publish(HostRound& round, const void* own, std::size_t count);
    template <class Make>
    void* makeOrGiveUp(const Make& make);
    void requireOneForEach(std::size_t count, std::size_t rankCount);
    [[noreturn]] void giveUp(const UsageError& error);
    std::size_t bytesOf(const HostEntry& entry, int rank) const;
    std::size_t requirePart(std::size_t count, const HostEntry& entry, int rank) const;
    void requireSameCount(const HostRound& round, int lastRank) const;
    bool isSmallReduction(std::size_t count, HostRound& round) const;
    void combineUpTo(int lastRank, const HostRound& round, void* combined, std::size_t count, const PlainOperator& combine) const;
    void sendLarge(int to, const void* data, std::size_t byteCount);
    void takeLarge(int from, void* target, std::size_t byteCount);

    Collectives& collectives_;
    Envelope envelope_;
    PlainType type_;
};

}    // namespace ferry
