#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ferry/connector/transport/BufferPool.hpp>
#include <ferry/connector/transport/RingReader.hpp>
#include <ferry/connector/transport/SharedMemory.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/connector/transport/mpi/MpiReceives.hpp>

namespace ferry::detail {

/// The rings through which packets come to a rank from others of its host (MpiRingsOut).
///
/// Ownership: owns its mapping of the memory of each ring; borrows receives and pool. Errors: SerializationError for a ring or a note that
/// no sender has made.
class MpiRingsIn {
public:
    MpiRingsIn(MpiReceives& receives, BufferPool& pool) noexcept : receives_(receives), pool_(pool) {}
    MpiRingsIn(const MpiRingsIn&) = delete;
    MpiRingsIn& operator=(const MpiRingsIn&) = delete;

    /// Maps the memory at the address that a rank has sent, and accepts the ring. Where the memory cannot be mapped, the rank gets no
    /// answer and goes on over MPI; so it does when the ring is not wanted. After a std::bad_alloc nothing has changed.
    void accept(int from, std::span<const std::int32_t> address, bool isWanted);
    /// Notes that the next packets of the rank lie in its ring.
    void open(int from);

    /// Tells whether any ring is open.
    bool isAnyOpen() const noexcept { return !open_.empty(); }
    /// Tells whether packets of this rank that come over MPI have marks in its ring.
    bool isOpen(int from) const noexcept { return !open_.empty() && find(from) != nullptr && find(from)->isOpen; }

    /// Looks at the open rings in turn until there is something new in any of them: at each ring once, and then until there were this many
    /// looks in all.
    bool hasNext(unsigned looks) const noexcept;
    /// Takes the next packet. Leaves the packets of a sender whose earlier packet is still on its way, and those of the rank `except`.
    /// packet: empty before. After a std::bad_alloc the packet is still in the ring.
    void take(int except, std::optional<Packet>& packet);
    /// Adds the packets before the next mark of the rank to the receives, and takes the mark. After a std::bad_alloc the rest is still
    /// there.
    void takeUpToMark(int from);

    /// Gives up the ring from a rank that is lost.
    void forget(int rank);

private:
    struct Ring {
        Ring(int rank, SharedMemory mapped) noexcept : from(rank), memory(std::move(mapped)), reader(memory.bytes()) {}

        int from;
        SharedMemory memory;
        RingReader reader;
        bool isOpen = false;
    };

    Ring* find(int from) const noexcept;
    void takePacket(Ring& ring, Packet& packet);
    void close(Ring& ring) noexcept;
    bool mustWait(const Ring& ring, int except) const noexcept;

    MpiReceives& receives_;
    BufferPool& pool_;
    std::vector<std::unique_ptr<Ring>> rings_;
    std::vector<Ring*> open_;
    std::vector<int> forgotten_;
    std::size_t turn_ = 0;    ///< index of the open ring at which the next look begins
};

}    // namespace ferry::detail
