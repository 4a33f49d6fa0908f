#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ferry::detail {

/// A reduction that the library of a transport may know itself: of numbers, by an operator that cannot throw.
struct PlainReduction {
    enum class Number { Int8, Uint8, Int16, Uint16, Int32, Uint32, Int64, Uint64, Float, Double, ComplexFloat, ComplexDouble, Bool };
    enum class Operator { Sum, Product, Min, Max, And, Or };

    Number number = Number::Int32;
    Operator combine = Operator::Sum;
    std::size_t numberBytes = 0;
    /// Computes left[i] = left[i] op right[i], for teams without a library that does it.
    void (*combineInto)(void* left, const void* right, std::size_t count) = nullptr;
};

/// The means that the ranks of a transport share when all of them run on one host: shared memory, and collectives on plain memory.
///
/// The collectives block, and cannot be woken. Every rank calls them together, and only when it knows that all other ranks will call them
/// (HostRound::commit). Sizes are in bytes; in reductions they are in elements. The sizes agree between the ranks. Threads: the one thread
/// of each rank.
class HostTeam {
public:
    HostTeam() = default;
    HostTeam(const HostTeam&) = delete;
    HostTeam& operator=(const HostTeam&) = delete;
    virtual ~HostTeam() = default;

    /// The memory that all ranks share; zero at first.
    virtual std::span<std::byte> memory() noexcept = 0;

    /// Tells whether the ranks outnumber the processors, so that a rank that waits should let others run.
    virtual bool isCrowded() const noexcept = 0;

    /// Tells whether the collectives may be called. They may not where a rank may die: it would leave the others in the call for ever.
    virtual bool mayBlock() const noexcept { return true; }

    /// Tells whether the collectives can move this number of bytes in all (of elements, for reductions).
    virtual bool canMove(std::size_t bytes) const noexcept = 0;

    virtual void broadcast(void* data, std::size_t bytes, int root) = 0;

    /// byteCounts: the number of bytes of each rank. all: memory for the bytes of all ranks, in the order of ranks.
    virtual void allGather(const void* own, std::span<const std::size_t> byteCounts, void* all) = 0;

    /// outgoing: the bytes to each rank, in the order of ranks. incoming: the bytes from each rank, in the same order.
    virtual void allToAll(const void* outgoing, std::span<const std::size_t> outgoingBytes, void* incoming,
                          std::span<const std::size_t> incomingBytes) = 0;
    /// Like allToAll, with bytesOfRank bytes to and from each rank.
    virtual void allToAllEvenly(const void* outgoing, void* incoming, std::size_t bytesOfRank) = 0;

    /// own and combined may be one place. root == AllRanks: every rank gets the result. On ranks other than the root, combined is not used.
    static constexpr int AllRanks = -1;
    virtual void reduce(const void* own, void* combined, std::size_t count, const PlainReduction& reduction, int root) = 0;

    /// Combines the elements of the ranks up to this one. own and combined must not be one place.
    virtual void scan(const void* own, void* combined, std::size_t count, const PlainReduction& reduction) = 0;
};

}    // namespace ferry::detail
