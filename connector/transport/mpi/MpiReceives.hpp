#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include <mpi.h>

#include <ferry/connector/transport/Announcement.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/connector/transport/mpi/calls/MpiLarge.hpp>

namespace ferry::detail {

/// The receives that a rank has begun, in the order in which the packets came.
///
/// Ownership: the buffers, until MPI has filled them and the packet is handed out. Errors: MpiError.
class MpiReceives {
public:
    enum class State {
        Coming,       ///< the packet's ints are on their way, or the ints outside its arrays
        Offered,      ///< the sender offers its arrays
        HandedOut,    ///< the packet was handed out, and its reader decides whether to fetch the arrays
        Whole,
    };
    struct Receive {
        Packet packet;
        State state = State::Coming;
        std::vector<MPI_Request> requests{};
        std::vector<int> byteCounts{};    ///< expected size of each requested piece
        std::vector<MPI_Status> statuses{};
        std::int32_t transfer = -1;
        Announcement announcement{};    ///< the inside of the announcement is not valid any more
        bool isCopied = false;          ///< the sender has gone on with copies
        bool isLost = false;            ///< the packet will never be whole: its sender has failed
    };
    using Place = std::list<Receive>::iterator;

    explicit MpiReceives(const MpiRoads& roads) : roads_(roads) {}
    MpiReceives(const MpiReceives&) = delete;
    MpiReceives& operator=(const MpiReceives&) = delete;
    /// Receives that are still under way stay with MPI until the process ends.
    ~MpiReceives();

    bool isEmpty() const noexcept { return receives_.empty(); }
    /// Tells whether a packet of this sender on the data road is under way here.
    bool hasDataOf(int from) const noexcept;

    /// Makes room, so that the next add() needs no memory.
    void makeRoom() {
        if (room_.empty()) room_.emplace_back();
    }
    /// Adds a packet that has come. There must be room.
    void add(Packet packet) noexcept;
    /// Starts to receive a packet of intCount ints on the control road, into ints. Nothing has begun after a std::bad_alloc.
    void startControl(int from, int intCount, IntBuffer ints);
    /// Starts to receive an announced packet. Without memory for the packet, only its first ints are kept (Packet::missingInts). Without
    /// memory for these ints either, the call throws std::bad_alloc, and nothing has begun.
    void startAnnounced(int from, const Announcement& announcement);

    /// Gives up all receives from a rank that is lost.
    void forget(int rank);

    /// Notes that the sender of the transfer has gone on with copies.
    void noteCopied(int from, std::int32_t transfer);

    /// Returns the first receive that is whole or offered, and waits for no earlier receive of the same sender and road; else the end.
    Place findReady();
    Place end() noexcept { return receives_.end(); }
    Packet take(Place place);
    void erase(Place place) { receives_.erase(place); }

    /// Receives the arrays into the packet's own ints, which must be there.
    void startArrays(Receive& receive);
    /// Returns the receive that was handed out, if any.
    Place findHandedOut();

private:
    static void reserve(Receive& receive, std::size_t pieceCount);
    static void makeRoomFor(Receive& receive);
    static void startPiece(Receive& receive, void* target, int count, MPI_Datatype type, int byteCount, int tag, MPI_Comm communicator);
    void start(Receive& receive, std::size_t place, std::size_t intCount);
    void startDropping(Receive& receive, std::size_t place, std::size_t intCount);
    static bool hasCome(Receive& receive);
    bool isFirstOfSender(std::list<Receive>::const_iterator place) const;
    void moveOn(Receive& receive);

    const MpiRoads& roads_;
    std::list<Receive> receives_;
    std::list<Receive> room_;    ///< at most one entry, for add()
};

}    // namespace ferry::detail
