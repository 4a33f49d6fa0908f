#include <ferry/guard/known/ranksIn.hpp>

#include <cstddef>
#include <numeric>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

std::vector<int> ranksIn(MPI_Group other, MPI_Group group) {
    int count = 0;
    must(PMPI_Group_size(group, &count), "MPI_Group_size");
    std::vector<int> ranks(static_cast<std::size_t>(count));
    std::vector<int> found(ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    must(PMPI_Group_translate_ranks(group, count, ranks.data(), other, found.data()), "MPI_Group_translate_ranks");
    return found;
}

}    // namespace ferry::pmpi
