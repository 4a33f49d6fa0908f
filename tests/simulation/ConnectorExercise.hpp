#pragma once

#include <cstdint>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace ferry::test {

/// A program for all ranks that uses every verb of the connector, in an order that a seed fixes.
/// Checks all results with xassert. One object serves all ranks of one simulation.
class ConnectorExercise {
public:
    /// Whether ranks also wait for messages of any rank. Such a wait never ends when only some of the other ranks leave.
    enum class Waits { ForOneRank, ForAnyRankToo };

    explicit ConnectorExercise(std::uint64_t seed, Waits waits = Waits::ForAnyRankToo);

    void run(Connector& connector);

private:
    void barrier(Connector& c, std::size_t step);
    void broadcast(Connector& c, int root, int value);
    void gather(Connector& c, int root);
    void ring(Connector& c, int distance);
    void streamsToOne(Connector& c, int to, int count);
    void takeStreams(Connector& c, int count);
    void anyClass(Connector& c, int distance);
    void graphRing(Connector& c, int distance, int nodeCount);
    void pendingRing(Connector& c, int distance, int nodeCount);
    void graphFromRoot(Connector& c, int root, int nodeCount);
    void startedCollectives(Connector& c, int root, int value);
    void droppedCollectives(Connector& c, int root);
    void neighbours(Connector& c, int distance);
    void throwAcross(Connector& c, int from, int to);
    void toItself(Connector& c, int count);
    void expectNothingLeft(Connector& c);

    std::uint64_t seed_;
    Waits waits_;
    std::vector<int> entered_;    // indexed by step: number of ranks that have entered its barrier
};

}    // namespace ferry::test
