#pragma once

#include <optional>

#include <mpi.h>

#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/guard/region/DeferredCollectives.hpp>
#include <ferry/guard/region/PresentCall.hpp>

namespace ferry::pmpi {

/// Compares the collective calls that the ranks of a region are in, after some ranks have found that theirs differ. Collective on the
/// meeting place's duplicate; the result is the same on each rank: the first rank of those in the minority is here(), a rank of the
/// majority is there(). present: the call of this rank; null: none. hasDisagreed: this rank is one of those that have found a difference.
/// deferred: the non-blocking calls, one of which may be the one that differs.
std::optional<CollectiveMismatch> comparedCalls(MPI_Comm meetingPlace, const PresentCall* present, bool hasDisagreed,
                                                const DeferredCollectives& deferred);

}    // namespace ferry::pmpi
