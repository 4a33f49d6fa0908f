#include <ferry/connector/datatypeOf.hpp>

#include <ferry/connector/transport/mpi/calls/MpiBlockType.hpp>

namespace ferry::detail {

MPI_Datatype makeDatatype(const BlockLayout& blocks) { return MpiBlockType(blocks).release(); }

}    // namespace ferry::detail
