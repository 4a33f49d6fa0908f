#include <ferry/connector/collective/neighbourhood/NeighbourLists.hpp>

#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/collective/Exchange.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

FERRY_FIELDS_DEFINED(ferry::detail::NeighbourLists)

namespace ferry::detail {

namespace {

/// How often the sender lists the receiver as a destination, and how often the receiver lists the sender as a source.
struct Edge {
    int asDestination = 0;
    int asSource = 0;
};

std::string inWords(const std::string& shape) { return shape.empty() ? "a neighbourhood of its own" : shape; }

std::string times(int count) { return count == 1 ? "once" : fmt::format("{} times", count); }

void requireRanks(const std::vector<int>& listed, int rank, int rankCount) {
    for (const int other : listed) {
        if (other < 0 || other >= rankCount)
            throw UsageError(
                fmt::format("rank {} lists rank {} as its neighbour, which does not exist: there are {}", rank, other, rankCount));
    }
}

void requireAgreement(const std::vector<NeighbourLists>& all) {
    const int rankCount = static_cast<int>(all.size());
    std::map<std::pair<int, int>, Edge> edges;    // by sender and receiver
    for (int rank = 0; rank < rankCount; ++rank) {
        const NeighbourLists& lists = all[static_cast<std::size_t>(rank)];
        if (!lists.refusal.empty()) throw UsageError(fmt::format("{} (on rank {})", lists.refusal, rank));
        requireRanks(lists.sources, rank, rankCount);
        requireRanks(lists.destinations, rank, rankCount);
        for (const int to : lists.destinations) ++edges[{rank, to}].asDestination;
        for (const int from : lists.sources) ++edges[{from, rank}].asSource;
    }
    for (int rank = 1; rank < rankCount; ++rank) {
        const std::string& shape = all[static_cast<std::size_t>(rank)].shape;
        if (shape != all.front().shape) throw CollectiveMismatch({0, inWords(all.front().shape)}, {rank, inWords(shape)});
    }
    for (const auto& [ranks, edge] : edges) {
        if (edge.asDestination == edge.asSource) continue;
        const auto [from, to] = ranks;
        throw CollectiveMismatch({from, fmt::format("a neighbourhood with rank {} as its destination {}", to, times(edge.asDestination))},
                                 {to, fmt::format("one with rank {} as its source {}", from, times(edge.asSource))});
    }
}

}    // namespace

std::shared_ptr<const NeighbourLists> agreeOnNeighbours(Collectives& collectives, NeighbourLists own) {
    requireAgreement(
        detail::allGather<NeighbourLists, std::vector<NeighbourLists>>(collectives, own, detail::AppendOne(), Operation::Neighbourhood));
    if (own.sendOrder.empty()) {
        own.sendOrder.resize(own.destinations.size());
        std::iota(own.sendOrder.begin(), own.sendOrder.end(), std::size_t{0});
    }
    return std::make_shared<const NeighbourLists>(std::move(own));
}

}    // namespace ferry::detail
