#pragma once

#include <cstdint>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>

namespace ferry::pmpi {

/// A communicator that a non-blocking call makes (MPI_Comm_idup), until the guard knows it.
///
/// Its ranks agree on its id by non-blocking collectives on the communicator itself, because MPI lets no rank wait for another one here.
/// The ranks of an intercommunicator meet on a copy of the communicator on which those of its parent meet.
/// Another communicator that is made at the same time may have the same id on some rank, which is rare: then the guard does not know it.
///
/// Threads: one at a time.
class LaterCommunicator {
public:
    /// number: of the call on the parent, the same on all ranks. result: the program's variable.
    LaterCommunicator(const Communicator& parent, std::uint64_t number, MPI_Comm* result)
        : part_(static_cast<std::uint64_t>(parent.id / 64) + number),
          parentMeeting_(parent.isInter() ? parent.handle : MPI_COMM_NULL),
          result_(result) {}
    LaterCommunicator(const LaterCommunicator&) = delete;
    LaterCommunicator& operator=(const LaterCommunicator&) = delete;

    /// Where MPI puts the communicator.
    MPI_Comm* place() noexcept { return &made_; }
    /// Takes the next step after the last request is over. False: all is done; otherwise `request` is under way.
    bool goOn(MPI_Request* request);
    /// Gives the communicator to the program.
    void deliver() const { *result_ = made_; }
    /// Marks the communicator as freed on this rank, since the program does not get it any more. Returns whether there is one.
    bool drop() const;

private:
    enum class Step : std::uint8_t { Making, MakingMeeting, Numbering, Keeping, Done };

    bool isInter() const noexcept { return parentMeeting_ != MPI_COMM_NULL; }
    bool propose(MPI_Request* request);

    std::uint64_t part_;
    MPI_Comm parentMeeting_;              ///< of an intercommunicator
    MPI_Comm meeting_ = MPI_COMM_NULL;    ///< on which the ranks of the communicator meet
    MPI_Comm* result_;
    MPI_Comm made_ = MPI_COMM_NULL;
    Step step_ = Step::Making;
    std::int32_t own_ = 0;
    std::int32_t agreed_ = 0;
    std::int32_t id_ = 0;
};

}    // namespace ferry::pmpi
