#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mpi.h>

namespace ferry::pmpi {

/// What ids each rank of a communicator has named, the same on all ranks.
class IdLists {
public:
    /// Collective.
    IdLists(MPI_Comm communicator, const std::vector<std::int32_t>& own);

    /// Those of any rank, ascending, each once.
    std::vector<std::int32_t> all() const;
    bool has(int rank, std::int32_t id) const;

private:
    std::span<const std::int32_t> of(int rank) const;

    std::vector<int> counts_;
    std::vector<int> places_;
    std::vector<std::int32_t> ids_;
};

}    // namespace ferry::pmpi
