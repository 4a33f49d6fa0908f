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

/// Three numbers of each mass, which lie side by side.
struct AdjacentPart {
    static constexpr const char* name = "masses";
    using Object = space::Mass;
    std::vector<Object>& objects;
};
/// The same with one that is not sent between the second and the third.
struct HoledPart {
    static constexpr const char* name = "masses with a hole";
    using Object = space::Mass;
    std::vector<Object>& objects;
};
/// Blocks of so many doubles with gaps of the same size.
template <int Count>
struct EdgePart {
    static constexpr const char* name = Count == 8 ? "blocks of 64 B" : Count == 32 ? "blocks of 256 B" : "blocks of 16 KiB";
    using Object = space::Slab<Count>;
    std::vector<Object>& objects;
};

std::vector<space::Mass> makeMasses(std::size_t count);
/// One with so many neighbours.
space::Mass makeCrowdedMass(std::size_t count);
/// 64 networks of 13 nodes, which 36 genes share.
std::vector<growing::Network> makePopulation();
/// What a search has found: hits with alignments.
homology::Results makeResults();

}    // namespace bench
