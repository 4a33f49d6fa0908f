#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <mpi.h>

#include <ferry/connector/transport/BufferPool.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// The sends of one rank that are under way.
///
/// Ownership: the buffers, until MPI has sent them; borrows the pool, to which they go back. Errors: MpiError.
class MpiSends {
public:
    explicit MpiSends(BufferPool& pool) : pool_(pool) {}
    MpiSends(const MpiSends&) = delete;
    MpiSends& operator=(const MpiSends&) = delete;
    /// Sends that are still under way stay with MPI until the process ends: MPI_Finalize may come after the destructors of static objects.
    ~MpiSends();

    /// Makes room, so that sendCount sends start without memory for their entries.
    void makeRoom(std::size_t sendCount) {
        if (sends_.capacity() - sends_.size() < sendCount) growFor(sendCount);
    }

    /// Starts sending the buffer's own ints. Nothing has begun after a std::bad_alloc. A std::bad_alloc comes only without room (makeRoom),
    /// or for more than mpiPieceInts ints.
    void start(int to, MPI_Comm communicator, int tag, IntBuffer ints);

    /// Starts sending ints from where they lie. The sends share the holder until they are done. There must be room for the pieces
    /// (makeRoom), so no memory is needed.
    void startHeld(int to, MPI_Comm communicator, int tag, const std::byte* bytes, std::size_t intCount,
                   const std::shared_ptr<const void>& holder);

    /// Looks at a few of the sends.
    void progress() {
        if (!sends_.empty()) lookAtSome();
    }

    /// Gives up all sends to a rank that is lost. Their buffers stay for MPI until the process ends.
    void forget(int rank);

    std::size_t size() const noexcept { return sends_.size(); }
    std::size_t countTo(int rank) const noexcept;

private:
    struct Send {
        int to = -1;
        MPI_Request request = MPI_REQUEST_NULL;
        IntBuffer ints;
        std::shared_ptr<const void> whole;    ///< the owner of the ints, in place of the above, when they lie elsewhere
    };

    void growFor(std::size_t sendCount);
    void lookAtSome();
    void startPieces(int to, MPI_Comm communicator, int tag, IntBuffer ints);

    BufferPool& pool_;
    std::vector<Send> sends_;
    std::size_t next_ = 0;
};

}    // namespace ferry::detail
