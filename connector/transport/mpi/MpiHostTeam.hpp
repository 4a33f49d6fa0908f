#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <mpi.h>

#include <ferry/connector/transport/HostTeam.hpp>
#include <ferry/connector/transport/SharedMemory.hpp>

namespace ferry::detail {

/// The team of processes of one host: SharedMemory, and the blocking collectives of MPI on a communicator of its own.
///
/// Errors: MpiError.
class MpiHostTeam final : public HostTeam {
public:
    struct Conditions {
        bool isCrowded = false;         ///< the ranks outnumber the processors
        bool survivesLosses = false;    ///< ranks may die, so the collectives are not to be called
    };

    /// Makes the team. All ranks of the communicator call it together. The communicator must return its errors. Returns null on every rank
    /// when the ranks do not all share a host, the host has no such memory for them, or one rank wants no memory (0).
    static std::unique_ptr<MpiHostTeam> make(MPI_Comm communicator, std::size_t memoryBytes, Conditions conditions);

    /// Frees the communicator, which must be unused on every rank. Without this call MPI keeps it.
    void free() noexcept;

    std::span<std::byte> memory() noexcept override { return memory_.bytes(); }
    bool isCrowded() const noexcept override { return conditions_.isCrowded; }
    bool mayBlock() const noexcept override { return !conditions_.survivesLosses; }
    bool canMove(std::size_t bytes) const noexcept override;

    void broadcast(void* data, std::size_t bytes, int root) override;
    void allGather(const void* own, std::span<const std::size_t> byteCounts, void* all) override;
    void allToAll(const void* outgoing, std::span<const std::size_t> outgoingBytes, void* incoming,
                  std::span<const std::size_t> incomingBytes) override;
    void allToAllEvenly(const void* outgoing, void* incoming, std::size_t bytesOfRank) override;
    void reduce(const void* own, void* combined, std::size_t count, const PlainReduction& reduction, int root) override;
    void scan(const void* own, void* combined, std::size_t count, const PlainReduction& reduction) override;

private:
    MpiHostTeam(MPI_Comm communicator, int rankCount, SharedMemory memory, Conditions conditions);

    /// Counts and displacements in the form of MPI. All memory is there from the beginning: in a call the other ranks wait already.
    struct Layout {
        explicit Layout(int rankCount) : counts(static_cast<std::size_t>(rankCount)), displacements(counts.size()) {}

        std::vector<int> counts;
        std::vector<int> displacements;
        bool isEven = true;    ///< all counts are equal

        /// byteCounts: one number for each rank.
        void set(std::span<const std::size_t> byteCounts) noexcept;
    };

    MPI_Comm communicator_;
    SharedMemory memory_;
    int rank_ = 0;
    const Conditions conditions_;
    Layout outgoing_;
    Layout incoming_;
};

}    // namespace ferry::detail
