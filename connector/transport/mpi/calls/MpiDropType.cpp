#include <ferry/connector/transport/mpi/calls/MpiDropType.hpp>

#include <array>

#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>

namespace ferry::detail {

MpiDropType::MpiDropType(int keptBytes, int messageBytes) {
    constexpr int blockBytes = roomBytes;
    const int droppedBytes = messageBytes - keptBytes;
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    checkMpi(MPI_Type_vector(droppedBytes / blockBytes, blockBytes, 0, MPI_BYTE, &blocks), "MPI_Type_vector");
    const std::array<int, 3> counts{keptBytes, 1, droppedBytes % blockBytes};
    const std::array<MPI_Aint, 3> places{0, keptBytes, keptBytes};
    const std::array<MPI_Datatype, 3> types{MPI_BYTE, blocks, MPI_BYTE};
    const int result = MPI_Type_create_struct(3, counts.data(), places.data(), types.data(), &type_);
    MPI_Type_free(&blocks);
    checkMpi(result, "MPI_Type_create_struct");
    checkMpi(MPI_Type_commit(&type_), "MPI_Type_commit");
}

MpiDropType::~MpiDropType() { MPI_Type_free(&type_); }

}    // namespace ferry::detail
