#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <ferry/benchmarks/views/Mass.hpp>
#include <ferry/examples/population/Networks.hpp>
#include <ferry/examples/results/Results.hpp>

namespace bench {

inline constexpr std::array<std::size_t, 6> massCounts{1, 10, 100, 1000, 10'000, 100'000};

/// Three contiguous numbers of each mass.
struct AdjacentPart {
    static constexpr const char* name = "masses";
    using Object = space::Mass;
    std::vector<Object>& objects;
};
/// Three numbers of each mass. Between the second and the third lies a number that is not sent.
struct HoledPart {
    static constexpr const char* name = "masses with a hole";
    using Object = space::Mass;
    std::vector<Object>& objects;
};
/// Blocks of Count doubles, with gaps of the same size.
template <int Count>
struct EdgePart {
    static constexpr const char* name = Count == 8 ? "blocks of 64 B" : Count == 32 ? "blocks of 256 B" : "blocks of 16 KiB";
    using Object = space::Slab<Count>;
    std::vector<Object>& objects;
};

std::vector<space::Mass> makeMasses(std::size_t count);
/// Makes a mass with `count` neighbours.
space::Mass makeCrowdedMass(std::size_t count);
/// Makes 64 networks. Each has 13 nodes, which the network shares with its 40 genes.
std::vector<growing::Network> makePopulation();
/// Makes the results of a search: hits with alignments.
homology::Results makeResults();

}    // namespace bench
