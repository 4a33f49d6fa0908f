#include <ferry/guard/known/IdLists.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

IdLists::IdLists(MPI_Comm communicator, const std::vector<std::int32_t>& own) {
    int size = 0;
    must(PMPI_Comm_size(communicator, &size), "MPI_Comm_size");
    counts_.resize(static_cast<std::size_t>(size));
    places_.resize(counts_.size());
    const int ownCount = static_cast<int>(own.size());
    must(PMPI_Allgather(&ownCount, 1, MPI_INT, counts_.data(), 1, MPI_INT, communicator), "MPI_Allgather");
    std::exclusive_scan(counts_.begin(), counts_.end(), places_.begin(), 0);
    ids_.resize(static_cast<std::size_t>(places_.back()) + static_cast<std::size_t>(counts_.back()));
    must(PMPI_Allgatherv(own.data(), ownCount, MPI_INT32_T, ids_.data(), counts_.data(), places_.data(), MPI_INT32_T, communicator),
         "MPI_Allgatherv");
}

std::vector<std::int32_t> IdLists::all() const {
    std::vector<std::int32_t> ids = ids_;
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

bool IdLists::has(int rank, std::int32_t id) const {
    const std::span<const std::int32_t> ids = of(rank);
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::span<const std::int32_t> IdLists::of(int rank) const {
    const auto place = static_cast<std::size_t>(rank);
    return std::span(ids_).subspan(static_cast<std::size_t>(places_[place]), static_cast<std::size_t>(counts_[place]));
}

}    // namespace ferry::pmpi
