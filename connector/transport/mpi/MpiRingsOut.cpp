#include <ferry/connector/transport/mpi/MpiRingsOut.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <numeric>
#include <thread>
#include <utility>

#include <ferry/connector/transport/mpi/MpiCheck.hpp>
#include <ferry/connector/transport/mpi/MpiOffer.hpp>

namespace ferry::detail {

namespace {

// A ring is worth its memory for a receiver of more packets than these.
constexpr unsigned packetsBeforeRing = 8;

/// Returns the ranks of the communicator that share a host with this one.
std::vector<int> ranksOnHost(MPI_Comm communicator) {
    MPI_Comm host = MPI_COMM_NULL;
    checkMpi(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host), "MPI_Comm_split_type", communicator);
    MPI_Group hostGroup = MPI_GROUP_NULL;
    MPI_Group allGroup = MPI_GROUP_NULL;
    int count = 0;
    checkMpi(MPI_Comm_group(host, &hostGroup), "MPI_Comm_group", host);
    checkMpi(MPI_Comm_group(communicator, &allGroup), "MPI_Comm_group", communicator);
    checkMpi(MPI_Group_size(hostGroup, &count), "MPI_Group_size", host);
    std::vector<int> ranks(static_cast<std::size_t>(count));
    std::vector<int> numbers(ranks.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    checkMpi(MPI_Group_translate_ranks(hostGroup, count, numbers.data(), allGroup, ranks.data()), "MPI_Group_translate_ranks", host);
    checkMpi(MPI_Group_free(&hostGroup), "MPI_Group_free", host);
    checkMpi(MPI_Group_free(&allGroup), "MPI_Group_free", communicator);
    checkMpi(MPI_Comm_free(&host), "MPI_Comm_free", communicator);
    return ranks;
}

}    // namespace

void MpiRingsOut::findHost(bool isWanted) {
    int size = 1;
    int rank = 0;
    checkMpi(MPI_Comm_size(roads_.data, &size), "MPI_Comm_size", roads_.data);
    checkMpi(MPI_Comm_rank(roads_.data, &rank), "MPI_Comm_rank", roads_.data);
    if (size == 1) return;
    const std::vector<int> neighbours = ranksOnHost(roads_.data);
    isCrowded_ = neighbours.size() > std::thread::hardware_concurrency();
    if (!isWanted || neighbours.size() == 1) return;
    rings_.resize(static_cast<std::size_t>(size));
    for (const int neighbour : neighbours) {
        if (neighbour != rank) rings_[static_cast<std::size_t>(neighbour)].state = State::Wanted;
    }
}

/// Puts a packet into a ring that may not be open, or is full.
bool MpiRingsOut::putLater(int to, Ring& ring, const IntBuffer& ints) {
    if (ints.size() > RingMemory::mostInts) return false;
    switch (ring.state) {
        case State::None: return false;
        case State::Wanted:
            if (++ring.packetCount > packetsBeforeRing) offer(to, ring);
            return false;
        case State::Open: leave(ring); return false;    // the ring is full
        case State::Offered:
            if (!ring.writer->isAccepted()) return false;
            ring.memory.close();
            break;
        case State::Left:
            if (!ring.writer->isDrained()) return false;
            break;
    }
    sendMpiNote(sends_, to, roads_.data, RingTag, 0);
    ring.state = State::Open;
    return ring.writer->put(ints.ints());    // there is room: the ring is empty
}

/// Makes a ring and offers it to its receiver. Without memory the packets go on over MPI.
void MpiRingsOut::offer(int to, Ring& ring) {
    ring.state = State::None;
    if (ringCount_ == mpiMostRings) return;
    ring.memory = SharedMemory::create(sizeof(RingMemory));
    if (!ring.memory.isMapped()) return;
    std::array<std::int32_t, sizeof(SharedMemory::Address) / sizeof(std::int32_t)> address{};
    std::memcpy(address.data(), &ring.memory.address(), sizeof address);
    try {
        sends_.start(to, roads_.data, RingOfferTag, IntBuffer(address));
    } catch (const std::bad_alloc&) {
        ring = Ring();
        return;
    }
    ring.writer.emplace(ring.memory.bytes());
    ring.state = State::Offered;
    ++ringCount_;
}

void MpiRingsOut::leave(Ring& ring) noexcept {
    ring.writer->leave();
    ring.state = State::Left;
}

void MpiRingsOut::mark(int to) noexcept {
    if (rings_.empty()) return;
    Ring& ring = rings_[static_cast<std::size_t>(to)];
    if (ring.state != State::Open) return;
    // The receiver looks for the mark when it gets the packet. MPI makes all earlier writes visible with its message.
    if (!ring.writer->mark()) leave(ring);
}

void MpiRingsOut::forget(int rank) noexcept {
    if (!rings_.empty()) rings_[static_cast<std::size_t>(rank)] = Ring();
}

}    // namespace ferry::detail
