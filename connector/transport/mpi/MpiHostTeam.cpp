#include <ferry/connector/transport/mpi/MpiHostTeam.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include <ferry/connector/transport/mpi/calls/MpiError.hpp>

namespace ferry::detail {

namespace {

constexpr std::size_t maxCount = static_cast<std::size_t>(std::numeric_limits<int>::max());
constexpr std::size_t broadcastPieceBytes = std::size_t{1} << 30;

bool doAllShareOneHost(MPI_Comm communicator) {
    MPI_Comm host = MPI_COMM_NULL;
    checkMpi(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host), "MPI_Comm_split_type");
    int sizeOnHost = 0;
    int size = 0;
    checkMpi(MPI_Comm_size(host, &sizeOnHost), "MPI_Comm_size");
    checkMpi(MPI_Comm_free(&host), "MPI_Comm_free");
    checkMpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
    return sizeOnHost == size;    // the same holds on every rank then
}

bool isSoOnAllRanks(bool condition, MPI_Comm communicator) {
    int all = condition ? 1 : 0;
    checkMpi(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
    return all != 0;
}

SharedMemory shareMemory(MPI_Comm communicator, int rank, std::size_t bytes) {
    SharedMemory memory;
    if (rank == 0) memory = SharedMemory::create(bytes);
    SharedMemory::Address address = memory.address();
    checkMpi(MPI_Bcast(&address, static_cast<int>(sizeof address), MPI_BYTE, 0, communicator), "MPI_Bcast");
    if (rank != 0) memory = SharedMemory::open(address, bytes);
    const bool isShared = isSoOnAllRanks(memory.isMapped(), communicator);    // several containers may look like one host
    return isShared ? std::move(memory) : SharedMemory();
}

MPI_Datatype typeOf(PlainReduction::Number number) {
    switch (number) {
        case PlainReduction::Number::Int8: return MPI_INT8_T;
        case PlainReduction::Number::Uint8: return MPI_UINT8_T;
        case PlainReduction::Number::Int16: return MPI_INT16_T;
        case PlainReduction::Number::Uint16: return MPI_UINT16_T;
        case PlainReduction::Number::Int32: return MPI_INT32_T;
        case PlainReduction::Number::Uint32: return MPI_UINT32_T;
        case PlainReduction::Number::Int64: return MPI_INT64_T;
        case PlainReduction::Number::Uint64: return MPI_UINT64_T;
        case PlainReduction::Number::Float: return MPI_FLOAT;
        case PlainReduction::Number::Double: return MPI_DOUBLE;
        case PlainReduction::Number::ComplexFloat: return MPI_CXX_FLOAT_COMPLEX;
        case PlainReduction::Number::ComplexDouble: return MPI_CXX_DOUBLE_COMPLEX;
        case PlainReduction::Number::Bool: return MPI_CXX_BOOL;
    }
    return MPI_DATATYPE_NULL;
}

MPI_Op operatorOf(PlainReduction::Operator combine) {
    switch (combine) {
        case PlainReduction::Operator::Sum: return MPI_SUM;
        case PlainReduction::Operator::Product: return MPI_PROD;
        case PlainReduction::Operator::Min: return MPI_MIN;
        case PlainReduction::Operator::Max: return MPI_MAX;
        case PlainReduction::Operator::And: return MPI_LAND;
        case PlainReduction::Operator::Or: return MPI_LOR;
    }
    return MPI_OP_NULL;
}

}    // namespace

std::unique_ptr<MpiHostTeam> MpiHostTeam::make(MPI_Comm communicator, std::size_t memoryBytes, Conditions conditions) {
    if (!isSoOnAllRanks(memoryBytes != 0, communicator) || !doAllShareOneHost(communicator)) return nullptr;
    MPI_Comm own = MPI_COMM_NULL;
    checkMpi(MPI_Comm_dup(communicator, &own), "MPI_Comm_dup");
    int rank = 0;
    int rankCount = 0;
    checkMpi(MPI_Comm_rank(own, &rank), "MPI_Comm_rank");
    checkMpi(MPI_Comm_size(own, &rankCount), "MPI_Comm_size");
    SharedMemory memory = shareMemory(own, rank, memoryBytes);
    const bool isShared = memory.isMapped();
    std::unique_ptr<MpiHostTeam> team(new MpiHostTeam(own, rankCount, std::move(memory), conditions));
    if (isShared) return team;
    team->free();
    return nullptr;
}

MpiHostTeam::MpiHostTeam(MPI_Comm communicator, int rankCount, SharedMemory memory, Conditions conditions)
    : communicator_(communicator),
      memory_(std::move(memory)),
      conditions_(conditions),
      outgoing_(rankCount),
      incoming_(rankCount) {
    checkMpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
}

void MpiHostTeam::free() noexcept { MPI_Comm_free(&communicator_); }

bool MpiHostTeam::canMove(std::size_t bytes) const noexcept { return mayBlock() && bytes <= maxCount; }

void MpiHostTeam::Layout::set(std::span<const std::size_t> byteCounts) noexcept {
    isEven = true;
    std::size_t place = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        counts[rank] = static_cast<int>(byteCounts[rank]);
        displacements[rank] = static_cast<int>(place);
        place += byteCounts[rank];
        isEven = isEven && byteCounts[rank] == byteCounts[0];
    }
}

void MpiHostTeam::broadcast(void* data, std::size_t bytes, int root) {
    auto* place = static_cast<std::byte*>(data);
    for (std::size_t done = 0; done < bytes; done += broadcastPieceBytes) {
        const std::size_t piece = std::min(bytes - done, broadcastPieceBytes);
        checkMpi(MPI_Bcast(place + done, static_cast<int>(piece), MPI_BYTE, root, communicator_), "MPI_Bcast");
    }
}

void MpiHostTeam::allGather(const void* own, std::span<const std::size_t> byteCounts, void* all) {
    incoming_.set(byteCounts);
    const int ownBytes = incoming_.counts[static_cast<std::size_t>(rank_)];
    if (incoming_.isEven) {
        checkMpi(MPI_Allgather(own, ownBytes, MPI_BYTE, all, ownBytes, MPI_BYTE, communicator_), "MPI_Allgather");
    } else {
        checkMpi(
            MPI_Allgatherv(own, ownBytes, MPI_BYTE, all, incoming_.counts.data(), incoming_.displacements.data(), MPI_BYTE, communicator_),
            "MPI_Allgatherv");
    }
}

void MpiHostTeam::allToAll(const void* outgoing, std::span<const std::size_t> outgoingBytes, void* incoming,
                           std::span<const std::size_t> incomingBytes) {
    outgoing_.set(outgoingBytes);
    incoming_.set(incomingBytes);
    checkMpi(MPI_Alltoallv(outgoing, outgoing_.counts.data(), outgoing_.displacements.data(), MPI_BYTE, incoming, incoming_.counts.data(),
                           incoming_.displacements.data(), MPI_BYTE, communicator_),
             "MPI_Alltoallv");
}

void MpiHostTeam::allToAllEvenly(const void* outgoing, void* incoming, std::size_t bytesOfRank) {
    const int bytes = static_cast<int>(bytesOfRank);
    checkMpi(MPI_Alltoall(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, communicator_), "MPI_Alltoall");
}

void MpiHostTeam::reduce(const void* own, void* combined, std::size_t count, const PlainReduction& reduction, int root) {
    const int intCount = static_cast<int>(count);
    const MPI_Datatype type = typeOf(reduction.number);
    const MPI_Op combine = operatorOf(reduction.combine);
    const void* source = own == combined ? MPI_IN_PLACE : own;
    if (root == AllRanks) {
        checkMpi(MPI_Allreduce(source, combined, intCount, type, combine, communicator_), "MPI_Allreduce");
    } else {
        checkMpi(MPI_Reduce(rank_ == root ? source : own, combined, intCount, type, combine, root, communicator_), "MPI_Reduce");
    }
}

void MpiHostTeam::scan(const void* own, void* combined, std::size_t count, const PlainReduction& reduction) {
    checkMpi(MPI_Scan(own, combined, static_cast<int>(count), typeOf(reduction.number), operatorOf(reduction.combine), communicator_),
             "MPI_Scan");
}

}    // namespace ferry::detail
