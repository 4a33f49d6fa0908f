#include <ferry/guard/region/EndWatch.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/meeting/Membership.hpp>
#include <ferry/serialization/exception/LastThrow.hpp>

namespace ferry::pmpi {

namespace {

constexpr std::chrono::seconds timeUntilAnnounced{1};
constexpr std::chrono::milliseconds timeUntilAnnouncedEarly{100};
constexpr std::chrono::seconds timeForMessages{5};
constexpr std::chrono::milliseconds timeForShortMessages{500};    // the sends of the rank at its end are over

}    // namespace

void EndWatch::begin() {
    begin_ = Clock::now();
    inVainSince_.reset();
}

std::optional<int> EndWatch::look(const Waiting& waiting) {
    if (waiting.isEnd || waiting.callsNoMore) {
        const bool hasFailed = meetingPlace_.failedRank() >= 0;
        const bool hasCaught = detail::LastThrow::isThere();    // a rank that gives up its work comes to its end early
        if (!hasFailed && Clock::now() - begin_ > (hasCaught ? timeUntilAnnouncedEarly : timeUntilAnnounced))
            meetingPlace_.rollCall().announceEnd(hasCaught, requests_.isEmpty());
    }
    if (waiting.isEnd || !meetingPlace_.rollCall().knowsAnyEnd()) [[likely]]
        return std::nullopt;
    return waiting.communicator != nullptr ? missingFrom(*waiting.communicator, RollCall::Count::Barriers, waiting.number)
                                           : silentPartner(waiting);
}

/// A rank at its end that has come to fewer than `number` calls on the communicator.
std::optional<int> EndWatch::missingFrom(const Communicator& communicator, RollCall::Count count, std::uint64_t number) const {
    for (const int rank : communicator.regionRanks) {
        if (!meetingPlace_.rollCall().isAtEnd(rank)) continue;
        const std::optional<std::uint64_t> entered = meetingPlace_.rollCall().enteredBy(rank, communicator.id, count);
        if (entered && *entered < number) return rank;
    }
    return std::nullopt;
}

std::optional<int> EndWatch::silentPartner(const Waiting& waiting) {
    std::optional<int> partner;
    for (const std::optional<Operation>& operation : pendingOf(waiting, requests_)) {
        partner = operation ? endedPeer(*operation) : std::nullopt;
        if (!partner) break;
    }
    if (!partner) {
        inVainSince_.reset();
    } else if (!inVainSince_) {
        inVainSince_ = Clock::now();
    } else if (Clock::now() - *inVainSince_ > (meetingPlace_.rollCall().hasGivenUp(*partner) ? timeForShortMessages : timeForMessages)) {
        return partner;
    }
    return std::nullopt;
}

/// A rank at its end for which the operation is in vain: the partner of a message; any rank for a receive from any rank, if all are at
/// their end; for a collective, a rank that has not come to it.
std::optional<int> EndWatch::endedPeer(const Operation& operation) const {
    if (operation.kind == RequestKind::MatchedReceive || operation.kind == RequestKind::File || operation.kind == RequestKind::Window)
        return std::nullopt;
    Communicator* communicator = Communicators::ofProcess().find(operation.communicator);
    if (communicator == nullptr || !isWithin(*communicator, meetingPlace_)) return std::nullopt;
    if (operation.kind == RequestKind::Collective)
        return missingFrom(*communicator, RollCall::Count::Deferred, static_cast<std::uint64_t>(operation.tag));
    const std::vector<int>& ranks = communicator->regionRanks;
    const RollCall& rollCall = meetingPlace_.rollCall();
    if (operation.peer != MPI_ANY_SOURCE) {
        const int peer = communicator->rankOf(operation.peer);
        const int rank = peer >= 0 ? ranks[static_cast<std::size_t>(peer)] : -1;
        return rank >= 0 && rollCall.isAtEnd(rank) ? std::optional(rank) : std::nullopt;
    }
    std::optional<int> ended;
    for (const int rank : ranks) {
        if (rank == meetingPlace_.rank()) continue;
        if (!rollCall.isAtEnd(rank)) return std::nullopt;
        ended = rank;
    }
    return ended;
}

}    // namespace ferry::pmpi
