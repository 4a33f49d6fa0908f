#include <ferry/connector/transport/mpi/MpiSends.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include <ferry/connector/transport/mpi/MpiFailures.hpp>
#include <ferry/connector/transport/mpi/MpiKept.hpp>
#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>
#include <ferry/connector/transport/mpi/calls/MpiLarge.hpp>

namespace ferry::detail {

namespace {

bool isFinished(MPI_Request& request) {
    if (request == MPI_REQUEST_NULL) return true;
    int isComplete = 0;
    const int result = MPI_Test(&request, &isComplete, MPI_STATUS_IGNORE);
    if (isOfLostRank(result)) return request == MPI_REQUEST_NULL;
    checkMpi(result, "MPI_Test");
    return isComplete != 0;
}

}    // namespace

MpiSends::~MpiSends() {
    if (!sends_.empty()) keepForMpi(std::move(sends_));
}

void MpiSends::start(int to, MPI_Comm communicator, int tag, IntBuffer ints) {
    if (ints.ownSize() > mpiPieceInts) return startPieces(to, communicator, tag, std::move(ints));
    makeRoom(1);    // MPI reads the ints from MPI_Isend on, so the room comes first
    MPI_Request request = MPI_REQUEST_NULL;
    const int result =
        MPI_Isend(ints.data(), static_cast<int>(ints.ownSize() * sizeof(std::int32_t)), MPI_BYTE, to, tag, communicator, &request);
    if (isOfLostRank(result)) return;    // callers hear of the loss of the rank elsewhere
    checkMpi(result, "MPI_Isend", communicator, to);
    if (isFinished(request)) {
        pool_.giveBack(std::move(ints));
    } else {
        sends_.push_back({to, request, std::move(ints), nullptr});
    }
}

void MpiSends::startPieces(int to, MPI_Comm communicator, int tag, IntBuffer ints) {
    makeRoom(mpiPieceCount(ints.ownSize()));
    const auto whole = std::make_shared<const IntBuffer>(std::move(ints));
    inMpiPieces(reinterpret_cast<const std::byte*>(whole->data()), whole->ownSize(), [&](const std::byte* bytes, int byteCount) {
        sends_.push_back({to, MPI_REQUEST_NULL, IntBuffer(), whole});
        const int result = MPI_Isend(bytes, byteCount, MPI_BYTE, to, tag, communicator, &sends_.back().request);
        if (!isOfLostRank(result)) checkMpi(result, "MPI_Isend", communicator, to);
    });
}

void MpiSends::startHeld(int to, MPI_Comm communicator, int tag, const std::byte* bytes, std::size_t intCount,
                         const std::shared_ptr<const void>& holder) {
    makeRoom(mpiPieceCount(intCount));
    inMpiPieces(bytes, intCount, [&](const std::byte* piece, int byteCount) {
        sends_.push_back({to, MPI_REQUEST_NULL, IntBuffer(), holder});
        const int result = MPI_Isend(piece, byteCount, MPI_BYTE, to, tag, communicator, &sends_.back().request);
        if (!isOfLostRank(result)) checkMpi(result, "MPI_Isend", communicator, to);
    });
}

void MpiSends::growFor(std::size_t sendCount) { sends_.reserve(std::max(2 * sends_.capacity(), sends_.size() + sendCount)); }

std::size_t MpiSends::countTo(int rank) const noexcept {
    return static_cast<std::size_t>(std::count_if(sends_.begin(), sends_.end(), [rank](const Send& send) { return send.to == rank; }));
}

void MpiSends::forget(int rank) {
    const auto firstLost = std::stable_partition(sends_.begin(), sends_.end(), [rank](const Send& send) { return send.to != rank; });
    std::vector<Send> lost(std::make_move_iterator(firstLost), std::make_move_iterator(sends_.end()));
    sends_.erase(firstLost, sends_.end());
    if (!lost.empty()) keepForMpi(std::move(lost));
}

/// Looks at a few sends at a time, in turn, so that polling stays cheap when thousands of sends are under way.
void MpiSends::lookAtSome() {
    constexpr std::size_t looks = 4;
    for (std::size_t look = 0; look < looks && !sends_.empty(); ++look) {
        if (next_ >= sends_.size()) next_ = 0;
        Send& send = sends_[next_];
        if (!isFinished(send.request)) {
            ++next_;
            continue;
        }
        pool_.giveBack(std::move(send.ints));
        if (&send != &sends_.back()) send = std::move(sends_.back());
        sends_.pop_back();
    }
}

}    // namespace ferry::detail
