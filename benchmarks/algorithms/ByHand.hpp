#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <ferry/examples/verbs/BlockGraph.hpp>

namespace bench {

using Number = std::uint64_t;
using Numbers = std::vector<Number>;

// The same as Ferry's algorithms, as users write them with nothing but MPI, on MPI_COMM_WORLD.

/// Sample sort; this rank's part.
Numbers sortWithMpi(Numbers numbers);

/// The numbers for each rank, by rank: first how many, then an MPI_Alltoallv.
std::map<int, Numbers> exchangeWithAllToAll(const std::map<int, Numbers>& outgoing);

/// The same by the algorithm NBX (Hoefler, Siebert, Lumsdaine: Scalable communication protocols for dynamic sparse data exchange, PPoPP
/// 2010): synchronous sends, and a barrier that does not block.
std::map<int, Numbers> exchangeWithNbx(const std::map<int, Numbers>& outgoing);

/// How many edges lie between the source and each vertex of this rank, -1 for what is not reached: level by level, each exchange as
/// exchangeWithAllToAll() does.
std::vector<int> breadthFirstSearchWithMpi(const verbs::BlockGraph& graph, verbs::Vertex source);

// What some of them share with their like for Boost.MPI.

/// Where the parts for each rank end in sorted numbers; from samples of all ranks.
std::vector<int> endsOfParts(const Numbers& numbers, Numbers samples, int rankCount);
/// 64 of sorted numbers.
Numbers samplesOf(const Numbers& numbers);
/// Sorted runs, one behind the other, become one.
void mergeRuns(Numbers& numbers, const std::vector<int>& begins);

}    // namespace bench
