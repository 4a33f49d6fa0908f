#include <ferry/device/remote/MpiDeviceLink.hpp>

#include <algorithm>
#include <utility>

#include <ferry/connector/communicatorOf.hpp>
#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>

namespace ferry {

struct MpiDeviceLink::Communicator {
    MPI_Comm handle = MPI_COMM_NULL;
};

namespace {

constexpr int tagCount = 32768;                             // the tags that every MPI has
constexpr std::size_t pieceBytes = std::size_t{1} << 30;    // MPI counts in int

/// Calls of MPI for one array. Ranks begin the pieces in the same order, in which MPI matches them.
class MpiTransfer final : public LinkTransfer {
public:
    /// begin(at, bytes, request): begins one piece.
    template <class Begin>
    MpiTransfer(MPI_Comm communicator, std::size_t count, Begin begin) : communicator_(communicator) {
        requests_.reserve(count / pieceBytes + 1);
        for (std::size_t at = 0; at < count; at += pieceBytes)
            begin(at, static_cast<int>(std::min(pieceBytes, count - at)), requests_.emplace_back(MPI_REQUEST_NULL));
    }

    bool hasEnded() override {
        int isEnd = 0;
        detail::checkMpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &isEnd, MPI_STATUSES_IGNORE), "MPI_Testall",
                         communicator_);
        return isEnd != 0;
    }
    void giveUp() noexcept override {
        for (MPI_Request& request : requests_) {
            if (request != MPI_REQUEST_NULL) static_cast<void>(MPI_Cancel(&request));
        }
    }

private:
    MPI_Comm communicator_;
    std::vector<MPI_Request> requests_;
};

}    // namespace

MpiDeviceLink::MpiDeviceLink(Connector& connector) : communicator_(std::make_unique<Communicator>()) {
    communicator_->handle = makeCommunicator(connector);
    MPI_Comm_set_errhandler(communicator_->handle, MPI_ERRORS_RETURN);
}

MpiDeviceLink::~MpiDeviceLink() {
    int isFinalized = 0;
    if (MPI_Finalized(&isFinalized) != MPI_SUCCESS || isFinalized != 0) return;
    try {
        if (!isBusy()) MPI_Comm_free(&communicator_->handle);
    } catch (const MpiError&) {
        // The communicator stays as long as the process.
    }
}

std::unique_ptr<LinkTransfer> MpiDeviceLink::beginSend(int to, std::int32_t number, const std::byte* bytes, std::size_t count) {
    const MPI_Comm all = communicator_->handle;
    return std::make_unique<MpiTransfer>(all, count, [&](std::size_t at, int piece, MPI_Request& request) {
        detail::checkMpi(MPI_Isend(bytes + at, piece, MPI_BYTE, to, number % tagCount, all, &request), "MPI_Isend", all, to);
    });
}

std::unique_ptr<LinkTransfer> MpiDeviceLink::beginReceive(int from, std::int32_t number, std::byte* bytes, std::size_t count) {
    const MPI_Comm all = communicator_->handle;
    return std::make_unique<MpiTransfer>(all, count, [&](std::size_t at, int piece, MPI_Request& request) {
        detail::checkMpi(MPI_Irecv(bytes + at, piece, MPI_BYTE, from, number % tagCount, all, &request), "MPI_Irecv", all, from);
    });
}

}    // namespace ferry
