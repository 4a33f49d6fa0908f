#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mpi.h>

namespace ferry::pmpi {

/// The ids that each rank of a communicator has named. Every rank gets equal lists.
class IdLists {
public:
    /// Collective.
    IdLists(MPI_Comm communicator, const std::vector<std::int32_t>& own);

    /// The ids of all ranks, ascending, each one once.
    std::vector<std::int32_t> all() const;
    bool has(int rank, std::int32_t id) const;

private:
    std::span<const std::int32_t> of(int rank) const;

    std::vector<int> counts_;
    std::vector<int> places_;
    std::vector<std::int32_t> ids_;
};

}    // namespace ferry::pmpi
