#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ferry/connector/transport/BufferPool.hpp>
#include <ferry/connector/transport/Loss.hpp>
#include <ferry/connector/transport/OfferedArrays.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/LendingSizes.hpp>
#include <ferry/serialization/ints/durations.hpp>

namespace ferry::detail {

/// The two roads between any two ranks. Control traffic (failures, stop) never waits behind data.
enum class Channel { Data, Control };

class Backoff;
class HostTeam;

/// A packet: the ints of one letter, which arrived in one piece, and their sender.
struct Packet {
    int from = -1;
    Channel channel = Channel::Data;
    IntBuffer ints;
    std::unique_ptr<OfferedArrays> offered{};     ///< not null: arrays that are not among the ints yet
    std::vector<std::int32_t> regionsAround{};    ///< regions of the letters inside which the packet came, innermost first
    std::size_t missingInts = 0;                  ///< number of ints at the end that were dropped, since there was no memory for them
};

/// Moves buffers of ints between ranks, and does not know what the ints mean.
///
/// Promises of every implementation: A packet arrives whole and once. Packets of one sender on one channel arrive in the order in which
/// they were sent. A send to a rank that has gone is dropped. No call blocks but idle(). poll() and OfferedArrays block only while two
/// ranks that have agreed on it move arrays in place.
/// Threads: used by the one thread of its rank, except wake().
/// Errors: a failure of the means of transport is a typed exception (MpiError for MPI). A std::bad_alloc loses nothing: the packet to send
/// was not sent, and a later poll() returns the packet that has come. Without memory for a packet, only its first ints come.
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

    /// The sizes from which on it pays to offer an array instead of copying it.
    virtual LendingSizes offersFrom() const noexcept { return {}; }

    /// Sends ints of which some are borrowed, on the data channel like startSend. The receiver may fetch the borrowed ints from where they
    /// lie, until closeOffer(). poll() serves the receiver. Only one offer is open at a time.
    virtual void startOffer(int to, IntBuffer ints) {
        ints.makeOwned();
        startSend(to, Channel::Data, std::move(ints));
    }
    /// Tells whether borrowed ints of the offer are still needed where they are.
    virtual bool isOffering() const noexcept { return false; }
    /// Ends the offer: copies the ints that the receiver has not fetched.
    virtual void closeOffer() {}

    /// The sizes from which on it pays to send an array from its place, in startHeld().
    virtual LendingSizes holdsFrom() const noexcept { return {}; }

    /// Sends ints of which some are borrowed, on the data channel like startSend, and returns at once. The holder owns the borrowed ints.
    /// The transport drops the holder when it needs them no more. After an exception nothing was sent.
    virtual void startHeld(int to, IntBuffer ints, [[maybe_unused]] std::shared_ptr<const void> holder) {
        ints.makeOwned();
        startSend(to, Channel::Data, std::move(ints));
    }

    /// Declines the arrays on offer of a packet that poll() has just returned, and takes the packet back. poll() returns the packet again
    /// when it is here with all its ints. After a std::bad_alloc the caller still has the packet, which may have all its ints already.
    virtual void decline(Packet&) {}

    /// Moves everything under way a step further. Returns the next packet that has arrived, if any.
    virtual std::optional<Packet> poll() = 0;

    /// The number of sends whose ints have not left yet.
    virtual std::size_t pendingSends() const noexcept = 0;

    /// The number of packets to this rank that the rank has not taken in yet, as far as this transport can tell. The number serves senders
    /// that must not run away from their receiver.
    virtual std::size_t undelivered(int to) const noexcept = 0;

    /// Rests until something may have arrived, pendingSends() or undelivered() may have fallen, or wake() was called. Rests no longer than
    /// atMost.
    virtual void idle(std::chrono::microseconds atMost) = 0;

    /// Tells whether the job can go on when a rank is lost. nextLoss() then tells of the loss.
    virtual bool survivesLosses() const noexcept { return false; }
    /// Returns the next lost rank, each rank once. The master is told of lost slaves. All slaves are told of a lost master.
    virtual std::optional<Loss> nextLoss() { return std::nullopt; }
    /// Drops everything under way to or from this rank, which is lost. No rank waits for it any more.
    virtual void forget([[maybe_unused]] int rank) {}

    /// The time by which this rank measures its waits.
    virtual Clock::time_point now() const noexcept { return Clock::now(); }

    /// True in a simulation. There idle() ends as soon as there is a reason, and a rank that waits rests until its deadline. So the rank
    /// gains nothing by looking again before it rests.
    virtual bool hasVirtualTime() const noexcept { return false; }

    /// Sets the function that describes the present wait of this rank; null: there is none. Returns the function before. A simulation calls
    /// it when no rank can go on, on the thread of any rank, while this rank is in idle().
    using WaitText = std::function<std::string()>;
    virtual const WaitText* describeWaitBy([[maybe_unused]] const WaitText* text) noexcept { return nullptr; }

    /// Ends the rest of the rank in idle(). May be called from any thread.
    virtual void wake() noexcept = 0;

    /// Notes that every rank has received all packets that it will ever get here. Resources shared between ranks may then be released when
    /// the transport is destroyed. Without this call the transport keeps whatever a late packet could still touch.
    virtual void finishTogether() noexcept = 0;

    /// Ends the whole job at once: the last resort when a rank does not answer. Does not return. Nothing is unwound, except in a
    /// simulation, whose ranks end by an exception of its own.
    [[noreturn]] virtual void abort(int exitStatus) = 0;
    /// Ends this rank alone, as a death does, where survivesLosses(). Elsewhere ends the job as abort() does.
    [[noreturn]] virtual void die(int exitStatus) {
        abort(exitStatus);
        std::terminate();    // not reached
    }

    /// Returns the team of the ranks, with memoryBytes of shared memory. Returns null on all ranks when they do not all run on one host, or
    /// any rank wants no memory. All ranks call it together, once. The team lives as long as the transport.
    virtual HostTeam* hostTeam([[maybe_unused]] std::size_t memoryBytes) { return nullptr; }

    /// The transport that moves the packets: this one, or the transport inside that connects all of its ranks.
    virtual const Transport& inner() const noexcept { return *this; }

    /// Tells whether the ranks of this host outnumber its processors, so that a rank that waits should let others run.
    bool isCrowded() const noexcept { return isCrowded_; }

    /// Emptied buffers for the next letters.
    BufferPool& buffers() noexcept { return buffers_; }

protected:
    void setCrowded(bool isCrowded) noexcept { isCrowded_ = isCrowded; }
    /// Tells the transport inside, or around, what a Backoff has told this one.
    static void passWaitOn(Transport& transport) noexcept { transport.noteWait(); }

private:
    friend class Backoff;

    /// Notes that this rank has nothing to do before the next poll(), which may look for longer then. Called by each Backoff.
    virtual void noteWait() noexcept {}

    BufferPool buffers_;
    bool isCrowded_ = false;
};

}    // namespace ferry::detail
