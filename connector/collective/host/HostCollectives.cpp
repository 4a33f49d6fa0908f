#include <ferry/connector/collective/host/HostCollectives.hpp>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/collective/course/Operation.hpp>
#include <ferry/connector/collective/host/PlainData.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

namespace {

// Limit in bytes. Every rank combines all elements of all ranks by itself while these fit its caches.
constexpr std::size_t mostCombinedHere = 256 * 1024;

// The largest possible size of data in bytes. No address space holds more.
constexpr std::size_t mostBytes = std::size_t{1} << 47;

void copyBytes(void* target, const void* source, std::size_t byteCount) {
    if (byteCount != 0 && target != source) std::memcpy(target, source, byteCount);
}

const std::byte* after(const void* data, std::size_t byteCount) { return static_cast<const std::byte*>(data) + byteCount; }
std::byte* after(void* data, std::size_t byteCount) { return static_cast<std::byte*>(data) + byteCount; }

/// A count of elements that lie on the board. Small counts leave more of the first cache line to the elements.
using CountHere = std::uint32_t;

/// Returns the rank's count, one of the counts that another rank has written before its data.
template <class Count = std::uint64_t>
std::size_t countAt(const std::byte* counts, int rank) {
    Count count = 0;
    std::memcpy(&count, counts + static_cast<std::size_t>(rank) * sizeof(count), sizeof(count));
    return static_cast<std::size_t>(count);
}

void writeCounts(std::byte* target, std::span<const std::size_t> counts) {
    for (const std::uint64_t count : counts) {
        std::memcpy(target, &count, sizeof(count));
        target += sizeof(count);
    }
}

}    // namespace

void HostCollectives::barrier() {
    HostRound round(collectives_, envelope_, type_);
    round.publish(HostEntry::Form::Here, 0);
    round.awaitAll();
}

/// Publishes this rank's entry, with the elements themselves where there is room for them.
void HostCollectives::publish(HostRound& round, const void* own, std::size_t count) {
    const bool isSmall = bytes(count) <= round.board().capacity();
    if (isSmall) copyBytes(round.ownData(bytes(count)), own, bytes(count));
    round.publish(isSmall ? HostEntry::Form::Here : HostEntry::Form::Large, count);
}

/// Makes the memory. When that fails, this rank gives the collective up, so that no rank keeps waiting.
template <class Make>
void* HostCollectives::makeOrGiveUp(const Make& make) {
    try {
        return make();
    } catch (...) {
        collectives_.giveUp(envelope_);
        throw;
    }
}

/// Gives the collective up in the handler of an exception. The round of this rank on the board begins and ends here, so that the ranks
/// count alike.
void HostCollectives::takeNoPart() {
    const HostRound round(collectives_, envelope_, type_);
    collectives_.giveUp(envelope_);
}

void HostCollectives::refuse(const UsageError& error) {
    const HostRound round(collectives_, envelope_, type_);
    giveUp(error);
}

void HostCollectives::giveUp(const UsageError& error) {
    try {
        throw error;
    } catch (...) {
        collectives_.giveUp(envelope_);
        throw;
    }
}

void HostCollectives::requireOneForEach(std::size_t count, std::size_t rankCount) {
    if (count == rankCount) [[likely]]
        return;
    giveUp(UsageError(fmt::format("{} needs a value for each of the {} ranks, not {}", describeCall(envelope_.key), rankCount, count)));
}

/// Returns the size of the data that a rank has announced, in bytes. Errors: SerializationError for impossible numbers.
std::size_t HostCollectives::bytesOf(const HostEntry& entry, int rank) const {
    const std::size_t most = entry.form == HostEntry::Form::Here ? collectives_.hostBoard()->capacity() : mostBytes;
    if (entry.elementCount > most / type_.elementBytes)
        throw SerializationError(fmt::format("expected at most {} bytes from rank {}, found {} elements of {} bytes", most, rank,
                                             entry.elementCount, type_.elementBytes));
    return bytes(entry.elementCount);
}

/// Returns the count. Errors: SerializationError when it is more than all elements that the rank has announced.
std::size_t HostCollectives::requirePart(std::size_t count, const HostEntry& entry, int rank) const {
    if (count > entry.elementCount)
        throw SerializationError(
            fmt::format("expected at most {} elements for this rank from rank {}, found {}", entry.elementCount, rank, count));
    return count;
}

bool HostCollectives::broadcast(const void* own, std::size_t count, int root, const MakeRoom& makeRoom) {
    HostRound round(collectives_, envelope_, type_);
    HostTeam& team = round.board().team();
    if (round.board().rank() == root) {
        publish(round, own, count);
        if (round.entryOf(root).form == HostEntry::Form::Here) return true;
        if (!team.mayBlock()) return false;
        round.commit();
        team.broadcast(const_cast<void*>(own), bytes(count), root);
        return true;
    }
    round.publish(HostEntry::Form::Here, 0);
    const HostEntry& entry = round.await(root);
    const std::size_t byteCount = bytesOf(entry, root);
    if (entry.form == HostEntry::Form::Here) {
        copyBytes(makeRoom(entry.elementCount), round.dataOf(root), byteCount);
        return true;
    }
    if (!team.mayBlock()) return false;
    void* const room = makeOrGiveUp([&] { return makeRoom(entry.elementCount); });
    round.commit();
    team.broadcast(room, byteCount, root);
    return true;
}

void HostCollectives::sendLarge(int to, const void* data, std::size_t byteCount) {
    Mailbox& mailbox = collectives_.mailbox();
    mailbox.post(to, Channel::Data, envelope_, [&](IntWriter& out) { out.writeBytes(data, byteCount); });
}

void HostCollectives::takeLarge(int from, void* target, std::size_t byteCount) {
    Letter letter = collectives_.takeStep(envelope_, from);
    const std::span<const std::int32_t> body = letter.body();
    if (body.size() != (byteCount + 3) / 4)
        throw SerializationError(
            fmt::format("expected {} bytes from rank {}, as it has announced, found {} ints", byteCount, from, body.size()));
    copyBytes(target, body.data(), byteCount);
    collectives_.mailbox().giveBack(std::move(letter));
}

void HostCollectives::gather(const void* own, std::size_t count, int root, const MakeParts& makeParts) {
    HostRound round(collectives_, envelope_, type_);
    const int ownRank = round.board().rank();
    publish(round, own, count);
    if (ownRank != root) {
        if (round.entryOf(ownRank).form == HostEntry::Form::Large) sendLarge(root, own, bytes(count));
        return;
    }
    std::vector<std::size_t>& counts = round.board().numbersOfRanks().incoming;
    counts.clear();
    for (int rank = 0; rank < round.board().rankCount(); ++rank) {
        const HostEntry& entry = round.await(rank);
        bytesOf(entry, rank);
        counts.push_back(entry.elementCount);
    }
    void* target = makeParts(counts);
    for (int rank = 0; rank < round.board().rankCount(); ++rank) {
        const HostEntry& entry = round.entryOf(rank);
        const std::size_t byteCount = bytes(entry.elementCount);
        if (rank == ownRank) {
            copyBytes(target, own, byteCount);
        } else if (entry.form == HostEntry::Form::Here) {
            copyBytes(target, round.dataOf(rank), byteCount);
        } else {
            takeLarge(rank, target, byteCount);
        }
        target = after(target, byteCount);
    }
}

void HostCollectives::scatter(const void* parts, std::span<const std::size_t> counts, int root, const MakeRoom& makeRoom) {
    HostRound round(collectives_, envelope_, type_);
    const int ownRank = round.board().rank();
    const auto rankCount = static_cast<std::size_t>(round.board().rankCount());
    const std::size_t countBytes = rankCount * sizeof(std::uint64_t);
    if (ownRank != root) {
        round.publish(HostEntry::Form::Here, 0);
        const HostEntry& entry = round.await(root);
        const std::byte* data = round.dataOf(root);
        std::size_t begin = countBytes;
        for (int rank = 0; rank < ownRank; ++rank) begin += bytes(countAt(data, rank));
        bytesOf(entry, root);
        const std::size_t count = requirePart(countAt(data, ownRank), entry, root);
        const bool isHere = entry.form == HostEntry::Form::Here;
        if (isHere && (begin > round.board().capacity() || bytes(count) > round.board().capacity() - begin))
            throw SerializationError(fmt::format("expected the data of rank {} within {} bytes, found {} elements after {} bytes", root,
                                                 round.board().capacity(), count, begin));
        void* const room = makeRoom(count);
        return isHere ? copyBytes(room, data + begin, bytes(count)) : takeLarge(root, room, bytes(count));
    }
    requireOneForEach(counts.size(), rankCount);
    const std::size_t total = sumOf(counts);
    const bool isHere = countBytes + bytes(total) <= round.board().capacity();
    std::byte* const data = round.ownData(countBytes + (isHere ? bytes(total) : 0));
    writeCounts(data, counts);
    if (isHere) copyBytes(data + countBytes, parts, bytes(total));
    round.publish(isHere ? HostEntry::Form::Here : HostEntry::Form::Large, total);
    const std::byte* part = static_cast<const std::byte*>(parts);
    for (std::size_t rank = 0; rank < rankCount; ++rank) {
        const std::size_t byteCount = bytes(counts[rank]);
        if (static_cast<int>(rank) == root) {
            copyBytes(makeRoom(counts[rank]), part, byteCount);
        } else if (!isHere) {
            sendLarge(static_cast<int>(rank), part, byteCount);
        }
        part = after(part, byteCount);
    }
}

bool HostCollectives::allGather(const void* own, std::size_t count, const MakeParts& makeParts) {
    HostRound round(collectives_, envelope_, type_);
    const int rankCount = round.board().rankCount();
    publish(round, own, count);
    std::vector<std::size_t>& counts = round.board().numbersOfRanks().incoming;
    counts.clear();
    bool isSmall = true;
    std::size_t total = 0;
    for (int rank = 0; rank < rankCount; ++rank) {
        const HostEntry& entry = round.await(rank);
        total += bytesOf(entry, rank);
        counts.push_back(entry.elementCount);
        isSmall = isSmall && entry.form == HostEntry::Form::Here;
    }
    if (isSmall) {
        void* target = makeParts(counts);
        for (int rank = 0; rank < rankCount; ++rank) {
            const std::size_t byteCount = bytes(counts[static_cast<std::size_t>(rank)]);
            copyBytes(target, round.dataOf(rank), byteCount);
            target = after(target, byteCount);
        }
        return true;
    }
    if (!round.board().team().canMove(total)) return false;
    void* const target = makeOrGiveUp([&] { return makeParts(counts); });
    for (std::size_t& each : counts) each = bytes(each);
    round.commit();
    round.board().team().allGather(own, counts, target);
    return true;
}

bool HostCollectives::allToAllEvenly(const void* own, std::size_t total, std::size_t countOfRank, const MakeRoom& makeRoom) {
    HostRound round(collectives_, envelope_, type_);
    const auto rankCount = static_cast<std::size_t>(round.board().rankCount());
    requireOneForEach(total / countOfRank, rankCount);
    publish(round, own, total);
    round.awaitAll();
    const bool isSmall = bytes(total) <= round.board().capacity();
    if (!isSmall && !round.board().team().canMove(bytes(total))) return false;
    void* const target = isSmall ? makeRoom(total) : makeOrGiveUp([&] { return makeRoom(total); });
    if (!isSmall) {
        round.commit();
        round.board().team().allToAllEvenly(own, target, bytes(countOfRank));
        return true;
    }
    const std::size_t place = bytes(countOfRank) * static_cast<std::size_t>(round.board().rank());
    for (std::size_t rank = 0; rank < rankCount; ++rank)
        copyBytes(after(target, rank * bytes(countOfRank)), round.dataOf(static_cast<int>(rank)) + place, bytes(countOfRank));
    return true;
}

/// Writes the counts of all ranks, and the parts of the ranks other than this one.
void HostCollectives::writeParts(std::byte* target, const void* own, std::span<const std::size_t> counts, int ownRank) const {
    std::byte* place = target + counts.size() * sizeof(CountHere);
    const std::byte* part = static_cast<const std::byte*>(own);
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        const CountHere count = static_cast<int>(rank) == ownRank ? 0 : static_cast<CountHere>(counts[rank]);
        std::memcpy(target + rank * sizeof(count), &count, sizeof(count));
        copyBytes(place, part, bytes(count));
        place += bytes(count);
        part += bytes(counts[rank]);
    }
}

/// Copies the part for this rank out of the data that another rank has written by writeParts(). Errors: SerializationError.
void HostCollectives::takePart(const std::byte* data, int from, const HostRound& round, void* target, std::size_t byteCount) const {
    const HostBoard& board = round.board();
    std::size_t begin = static_cast<std::size_t>(board.rankCount()) * sizeof(CountHere);
    for (int before = 0; before < board.rank(); ++before) begin += bytes(countAt<CountHere>(data, before));
    if (begin > board.capacity() || byteCount > board.capacity() - begin)
        throw SerializationError(fmt::format("expected the data of rank {} within {} bytes, found {} bytes after {} bytes", from,
                                             board.capacity(), byteCount, begin));
    copyBytes(target, data + begin, byteCount);
}

bool HostCollectives::allToAll(const void* own, std::span<const std::size_t> counts, const MakeParts& makeParts) {
    HostRound round(collectives_, envelope_, type_);
    const int ownRank = round.board().rank();
    const auto rankCount = static_cast<std::size_t>(round.board().rankCount());
    const std::size_t capacity = round.board().capacity();
    requireOneForEach(counts.size(), rankCount);
    const std::size_t total = sumOf(counts);
    const std::size_t ownCount = counts[static_cast<std::size_t>(ownRank)];
    const std::size_t countBytes = rankCount * sizeof(CountHere);
    const bool isOwnSmall = countBytes + bytes(total) <= capacity;
    if (isOwnSmall) {
        writeParts(round.ownData(countBytes + bytes(total - ownCount)), own, counts, ownRank);    // this rank's part stays with this rank
    } else {
        writeCounts(round.ownData(rankCount * sizeof(std::uint64_t)), counts);
    }
    round.publish(isOwnSmall ? HostEntry::Form::Here : HostEntry::Form::Large, total);

    std::vector<std::size_t>& incoming = round.board().numbersOfRanks().incoming;
    incoming.clear();
    bool isSmall = true;
    std::size_t totalOfAll = 0;
    for (int rank = 0; rank < static_cast<int>(rankCount); ++rank) {
        const HostEntry entry = round.await(rank);
        const bool isHere = entry.form == HostEntry::Form::Here;
        isSmall = isSmall && isHere;
        totalOfAll += bytesOf(entry, rank);
        const std::byte* const data = round.dataOf(rank);
        const std::size_t count = rank == ownRank ? ownCount : isHere ? countAt<CountHere>(data, ownRank) : countAt(data, ownRank);
        incoming.push_back(requirePart(count, entry, rank));
    }
    if (!isSmall && !round.board().team().canMove(totalOfAll)) return false;
    void* target = isSmall ? makeParts(incoming) : makeOrGiveUp([&] { return makeParts(incoming); });
    if (!isSmall) {
        std::vector<std::size_t>& outgoingBytes = round.board().numbersOfRanks().outgoingBytes;
        outgoingBytes.clear();
        for (const std::size_t count : counts) outgoingBytes.push_back(bytes(count));
        for (std::size_t& count : incoming) count = bytes(count);
        round.commit();
        round.board().team().allToAll(own, outgoingBytes, target, incoming);
        return true;
    }
    const std::byte* const ownPart = after(own, bytes(sumOf(counts.first(static_cast<std::size_t>(ownRank)))));
    for (int rank = 0; rank < static_cast<int>(rankCount); ++rank) {
        const std::size_t byteCount = bytes(incoming[static_cast<std::size_t>(rank)]);
        if (rank == ownRank) {
            copyBytes(target, ownPart, byteCount);
        } else {
            takePart(round.dataOf(rank), rank, round, target, byteCount);
        }
        target = after(target, byteCount);
    }
    return true;
}

/// Requires that the ranks up to lastRank have equally many elements. Errors: CollectiveMismatch.
void HostCollectives::requireSameCount(const HostRound& round, int lastRank) const {
    const std::size_t first = round.entryOf(0).elementCount;
    for (int rank = 0; rank <= lastRank; ++rank) {
        const HostEntry& entry = round.entryOf(rank);
        if (entry.elementCount != first)
            throw CollectiveMismatch({0, fmt::format("a reduction of {} elements", first)},
                                     {rank, fmt::format("one of {}", entry.elementCount)});
        bytesOf(entry, rank);
    }
}

bool HostCollectives::isSmallReduction(std::size_t count, HostRound& round) const {
    const HostBoard& board = round.board();
    return bytes(count) <= std::min(board.capacity(), mostCombinedHere / static_cast<std::size_t>(board.rankCount()));
}

void HostCollectives::combineUpTo(int lastRank, const HostRound& round, void* combined, std::size_t count,
                                  const PlainOperator& combine) const {
    copyBytes(combined, round.dataOf(0), bytes(count));
    for (int rank = 1; rank <= lastRank; ++rank) combine.combine(combine.context, combined, round.dataOf(rank), count);
}

bool HostCollectives::reduce(const void* own, void* combined, std::size_t count, const PlainOperator& combine, int root) {
    HostRound round(collectives_, envelope_, type_);
    const int ownRank = round.board().rank();
    const int lastRank = round.board().rankCount() - 1;
    publish(round, own, count);
    const bool isSmall = isSmallReduction(count, round);
    if (isSmall && root != HostTeam::AllRanks && ownRank != root) return true;
    round.awaitAll();
    requireSameCount(round, lastRank);
    if (isSmall) {
        combineUpTo(lastRank, round, combined, count, combine);
        return true;
    }
    if (!combine.known || !round.board().team().canMove(count)) return false;
    round.commit();
    round.board().team().reduce(own, combined, count, *combine.known, root);
    return true;
}

bool HostCollectives::scan(const void* own, void* combined, std::size_t count, const PlainOperator& combine) {
    HostRound round(collectives_, envelope_, type_);
    const int ownRank = round.board().rank();
    publish(round, own, count);
    const bool isSmall = isSmallReduction(count, round);
    const int lastRank = isSmall ? ownRank : round.board().rankCount() - 1;
    for (int rank = 0; rank <= lastRank; ++rank) round.await(rank);
    requireSameCount(round, lastRank);
    if (isSmall) {
        combineUpTo(ownRank, round, combined, count, combine);
        return true;
    }
    if (!combine.known || !round.board().team().canMove(count)) return false;
    round.commit();
    round.board().team().scan(own, combined, count, *combine.known);
    return true;
}

}    // namespace ferry::detail
