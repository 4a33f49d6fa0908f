#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/connector/transport/BufferPool.hpp>
#include <ferry/connector/transport/Loss.hpp>
#include <ferry/connector/transport/OfferedArrays.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/LendingSizes.hpp>

namespace ferry {

/// The two roads between any two ranks. Control traffic (failures, stop) never waits behind data.
enum class Channel { Data, Control };

class HostTeam;

/// A packet: the ints of one message, which arrived in one piece, and their sender.
struct Packet {
    int from = -1;
    Channel channel = Channel::Data;
    IntBuffer ints;
    std::unique_ptr<OfferedArrays> offered{};     ///< not null: these arrays are not among the ints yet
    std::vector<std::int32_t> regionsAround{};    ///< of a packet that came inside of letters: the regions of these, innermost first
    std::size_t missingInts = 0;                  ///< ints at the end that were dropped, since there was no memory for them
};

/// Moves buffers of ints between ranks, and knows nothing of what they mean.
///
/// Promises of every implementation: a packet arrives whole and once; packets of one sender on one channel arrive in the order in
/// which they were sent; a send to a rank that has gone is dropped; no call blocks but idle(), and poll() and OfferedArrays while two ranks
/// that have agreed on it move arrays in place.
/// Threads: used by the one thread of its rank, except wake().
/// Errors: a failure of the means of transport is a typed exception (MpiError for MPI). A std::bad_alloc loses nothing: the packet to send
/// was not sent, and a later poll() returns the packet that has come. Without memory for a packet only its first ints come.
class Transport {
public:
    using Clock = std::chrono::steady_clock;

    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    virtual ~Transport() = default;

    virtual int rank() const noexcept = 0;
    virtual int size() const noexcept = 0;

    /// Starts sending the ints to a rank (its own too) and owns them until they have left.
    virtual void startSend(int to, Channel channel, IntBuffer ints) = 0;

    /// From which sizes on it pays to offer an array instead of copying it.
    virtual LendingSizes offersFrom() const noexcept { return {}; }

    /// Sends on the data channel like startSend, for ints of which some are borrowed: the receiver may fetch them from where they lie,
    /// which poll() serves, until closeOffer(). One offer at a time.
    virtual void startOffer(int to, IntBuffer ints) {
        ints.makeOwned();
        startSend(to, Channel::Data, std::move(ints));
    }
    /// Whether borrowed ints of the offer are still needed where they are.
    virtual bool isOffering() const noexcept { return false; }
    /// Copies what the receiver has not fetched.
    virtual void closeOffer() {}

    /// For a packet with arrays on offer that poll() has just returned, when nobody wants to fetch them: poll() returns it again when it is
    /// here with all its ints.
    virtual void decline(Packet) {}

    /// Moves everything under way a step further; the next packet that has arrived, if any.
    virtual std::optional<Packet> poll() = 0;

    /// The number of sends whose ints have not left yet.
    virtual std::size_t pendingSends() const noexcept = 0;

    /// The number of packets to this rank that it has not taken in yet, as far as this transport can tell: for senders that must not run
    /// away from their receiver.
    virtual std::size_t undelivered(int to) const noexcept = 0;

    /// Rests until something may have arrived, one of pendingSends() and undelivered() may have fallen, or wake() was called, and no longer
    /// than the given time.
    virtual void idle(std::chrono::microseconds atMost) = 0;

    /// Whether the job can go on when a rank is lost: then nextLoss() tells it.
    virtual bool survivesLosses() const noexcept { return false; }
    /// The next lost rank, each told once. The master is told of lost slaves, all slaves are told of a lost master.
    virtual std::optional<Loss> nextLoss() { return std::nullopt; }
    /// Drops what is under way to this rank or from it, which is lost: nobody waits for it any more.
    virtual void forget([[maybe_unused]] int rank) {}

    /// The time by which this rank waits.
    virtual Clock::time_point now() const noexcept { return Clock::now(); }

    /// True in a simulation: idle() ends as soon as there is a reason, so that a rank that waits gains nothing by looking again before it
    /// rests, and rests until its deadline.
    virtual bool hasVirtualTime() const noexcept { return false; }

    /// Ends the rest of the rank in idle(). May be called from any thread.
    virtual void wake() noexcept = 0;

    /// Says that every rank has received all that it will ever get here, so that what is shared between ranks may be released
    /// when the transport is destroyed. Without it the transport keeps whatever a late packet could still touch.
    virtual void finishTogether() noexcept = 0;

    /// Ends the whole job at once: the last resort when a rank does not answer. Does not return; nothing is unwound but in a simulation,
    /// whose ranks end by an exception of its own.
    [[noreturn]] virtual void abort(int exitStatus) = 0;

    /// The team of the ranks, with memoryBytes of shared memory; null on all of them when they do not all run on one host, or any wants
    /// no memory. All ranks call it together, once. Lives as long as the transport.
    virtual HostTeam* hostTeam([[maybe_unused]] std::size_t memoryBytes) { return nullptr; }

    /// Emptied buffers for the next messages.
    BufferPool& buffers() noexcept { return buffers_; }

private:
    BufferPool buffers_;
};

}    // namespace ferry
