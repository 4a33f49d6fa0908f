#pragma once

#include <cstdint>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>

namespace ferry::pmpi {

/// The variable of the program in which a communicator is put when it is made. A variable of another language than C has a function that
/// writes it.
class LaterResult {
public:
    using Write = void (*)(void* variable, MPI_Comm handle);

    static LaterResult ofC(MPI_Comm* variable) noexcept { return {variable, nullptr}; }
    static LaterResult ofOther(void* variable, Write write) noexcept { return {variable, write}; }

    void set(MPI_Comm handle) const {
        if (write_ == nullptr)
            *static_cast<MPI_Comm*>(variable_) = handle;
        else
            write_(variable_, handle);
    }
    /// Lets MPI itself put the communicator there. call(place) makes the non-blocking call. Open MPI knows the handle when the call
    /// returns; with other MPIs, Fortran programs call the functions of C.
    template <class Call>
    int setBy(Call call) const {
        if (write_ == nullptr) return call(static_cast<MPI_Comm*>(variable_));
        MPI_Comm handle = MPI_COMM_NULL;
        const int result = call(&handle);
        set(handle);
        return result;
    }

private:
    LaterResult(void* variable, Write write) noexcept : variable_(variable), write_(write) {}

    void* variable_;
    Write write_;    // null: the variable is an MPI_Comm
};

/// A communicator that a non-blocking call makes (MPI_Comm_idup), until the guard knows it.
///
/// Its ranks agree on its id by non-blocking collectives on the communicator itself, because MPI lets no rank wait for another one here.
/// The ranks of an intercommunicator meet on a copy of the communicator on which those of its parent meet.
/// Another communicator that is made at the same time may have the same id on some rank, which is rare: then the guard does not know it.
///
/// Threads: one at a time.
class LaterCommunicator {
public:
    /// number: of the call on the parent, the same on all ranks.
    LaterCommunicator(const Communicator& parent, std::uint64_t number, const LaterResult& result)
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
    void deliver() const { result_.set(made_); }
    /// Marks the communicator as freed on this rank, since the program does not get it any more. Returns whether there is one.
    bool drop() const;

private:
    enum class Step : std::uint8_t { Making, MakingMeeting, Numbering, Keeping, Done };

    bool isInter() const noexcept { return parentMeeting_ != MPI_COMM_NULL; }
    bool propose(MPI_Request* request);

    std::uint64_t part_;
    MPI_Comm parentMeeting_;              ///< of an intercommunicator
    MPI_Comm meeting_ = MPI_COMM_NULL;    ///< on which the ranks of the communicator meet
    LaterResult result_;
    MPI_Comm made_ = MPI_COMM_NULL;
    Step step_ = Step::Making;
    std::int32_t own_ = 0;
    std::int32_t agreed_ = 0;
    std::int32_t id_ = 0;
};

}    // namespace ferry::pmpi
