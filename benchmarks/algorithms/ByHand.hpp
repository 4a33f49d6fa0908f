#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <ferry/examples/verbs/BlockGraph.hpp>

namespace bench {

using Number = std::uint64_t;
using Numbers = std::vector<Number>;

// The algorithms of Ferry, written by hand with plain MPI, on MPI_COMM_WORLD.

/// Sample sort. Takes and returns the part of this rank.
Numbers sortWithMpi(Numbers numbers);

/// Sends each rank its numbers: first the counts, then the numbers by MPI_Alltoallv. The keys are ranks.
std::map<int, Numbers> exchangeWithAllToAll(const std::map<int, Numbers>& outgoing);

/// Sends each rank its numbers by the algorithm NBX (Hoefler, Siebert, Lumsdaine: Scalable communication protocols for dynamic sparse data
/// exchange, PPoPP 2010). NBX uses synchronous sends and a non-blocking barrier.
std::map<int, Numbers> exchangeWithNbx(const std::map<int, Numbers>& outgoing);

/// The number of edges between the source and each vertex of this rank. -1 for a vertex that is not reached. The search goes level by
/// level. Each level exchanges vertices like exchangeWithAllToAll().
std::vector<int> breadthFirstSearchWithMpi(const verbs::BlockGraph& graph, verbs::Vertex source);

// Helper functions that the Boost.MPI versions share.

/// The end index of the part for each rank, in sorted numbers. samples: samples of all ranks.
std::vector<int> endsOfParts(const Numbers& numbers, Numbers samples, int rankCount);
/// Returns 64 samples of sorted numbers.
Numbers samplesOf(const Numbers& numbers);
/// Merges sorted runs, which lie one behind the other, into one.
void mergeRuns(Numbers& numbers, const std::vector<int>& begins);

}    // namespace bench
