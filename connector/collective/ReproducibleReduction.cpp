#include <ferry/connector/collective/ReproducibleReduction.hpp>

#include <numeric>

namespace ferry::detail {

std::vector<std::uint64_t> endsOfRanks(Collectives& collectives, std::size_t ownCount) {
    auto ends = allGather<std::uint64_t, std::vector<std::uint64_t>>(collectives, ownCount, AppendOne());
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    return ends;
}

}    // namespace ferry::detail
