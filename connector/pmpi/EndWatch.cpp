#include <ferry/connector/pmpi/EndWatch.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ferry/connector/pmpi/Communicators.hpp>

namespace ferry::pmpi {

namespace {

constexpr std::chrono::seconds timeUntilAnnounced{1};
constexpr std::chrono::seconds timeForMessages{5};

}    // namespace

void EndWatch::begin() {
    begin_ = Clock::now();
    inVainSince_.reset();
}

std::optional<int> EndWatch::look(const Waiting& waiting) {
    if (waiting.isEnd) {
        const bool hasFailed = channel_.failedRank() >= 0;
        if (!hasFailed && Clock::now() - begin_ > timeUntilAnnounced) channel_.rollCall().announceEnd();
        return std::nullopt;
    }
    if (!channel_.rollCall().knowsAnyEnd()) [[likely]]
        return std::nullopt;
    return waiting.communicator != nullptr ? missingFrom(waiting) : silentPartner(waiting);
}

/// A rank at its end that has entered fewer barriers on the communicator.
std::optional<int> EndWatch::missingFrom(const Waiting& collective) {
    for (const int rank : collective.communicator->regionRanks) {
        if (!channel_.rollCall().isAtEnd(rank)) continue;
        const std::optional<std::uint64_t> entered = channel_.rollCall().enteredBy(rank, collective.communicator->id);
        if (entered && *entered < collective.number) return rank;
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
    } else if (Clock::now() - *inVainSince_ > timeForMessages) {
        return partner;
    }
    return std::nullopt;
}

/// The partner of a message, if it is at its end; of a receive from any rank one of all, if they are.
std::optional<int> EndWatch::endedPeer(const Operation& operation) const {
    if (operation.kind != RequestKind::Send && operation.kind != RequestKind::Receive) return std::nullopt;
    const Communicator* communicator = Communicators::ofProcess().find(operation.communicator);
    if (communicator == nullptr) return std::nullopt;
    const std::vector<int>& ranks = communicator->regionRanks;
    const RollCall& rollCall = channel_.rollCall();
    if (operation.peer != MPI_ANY_SOURCE) {
        const auto peer = static_cast<std::size_t>(operation.peer);
        return operation.peer >= 0 && peer < ranks.size() && rollCall.isAtEnd(ranks[peer]) ? std::optional(ranks[peer]) : std::nullopt;
    }
    std::optional<int> ended;
    for (const int rank : ranks) {
        if (rank == channel_.rank()) continue;
        if (!rollCall.isAtEnd(rank)) return std::nullopt;
        ended = rank;
    }
    return ended;
}

}    // namespace ferry::pmpi
