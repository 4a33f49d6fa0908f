#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ferry {

/// A reduction that the means of transport may know themselves: of numbers, by an operator that cannot throw.
struct PlainReduction {
    enum class Number { Int8, Uint8, Int16, Uint16, Int32, Uint32, Int64, Uint64, Float, Double, ComplexFloat, ComplexDouble, Bool };
    enum class Operator { Sum, Product, Min, Max, And, Or };

    Number number = Number::Int32;
    Operator combine = Operator::Sum;
    std::size_t numberBytes = 0;
    /// left[i] = left[i] op right[i], for teams without a library that does it.
    void (*combineInto)(void* left, const void* right, std::size_t count) = nullptr;
};

/// The means that the ranks of a transport share when all of them run on one host: a piece of memory, and collectives on plain memory.
///
/// The collectives block, and cannot be woken: every rank calls them together, and only when it knows that all others will
/// (HostRound::commit). Sizes are in bytes but for reductions, and agree between the ranks. Threads: the one thread of each rank.
class HostTeam {
public:
    HostTeam() = default;
    HostTeam(const HostTeam&) = delete;
    HostTeam& operator=(const HostTeam&) = delete;
    virtual ~HostTeam() = default;

    /// The memory that all ranks share; zero at first.
    virtual std::span<std::byte> memory() noexcept = 0;

    /// Whether the ranks outnumber the processors, so that one that waits should let others run.
    virtual bool isCrowded() const noexcept = 0;

    /// Whether the collectives can move so many bytes in all.
    virtual bool canMove(std::size_t bytes) const noexcept = 0;

    virtual void broadcast(void* data, std::size_t bytes, int root) = 0;

    /// byteCounts: of each rank; all: their sum, in the order of ranks.
    virtual void allGather(const void* own, std::span<const std::size_t> byteCounts, void* all) = 0;

    /// outgoing: the bytes to each rank, in the order of ranks. incoming: the bytes from each rank, in the same order.
    virtual void allToAll(const void* outgoing, std::span<const std::size_t> outgoingBytes, void* incoming,
                          std::span<const std::size_t> incomingBytes) = 0;
    /// Like allToAll, with bytesOfRank bytes to and from each rank.
    virtual void allToAllEvenly(const void* outgoing, void* incoming, std::size_t bytesOfRank) = 0;

    /// The two may be one place. root == AllRanks: the result on every rank; elsewhere than on the root, combined is not used.
    static constexpr int AllRanks = -1;
    virtual void reduce(const void* own, void* combined, std::size_t count, const PlainReduction& reduction, int root) = 0;

    /// Over the ranks up to this one. Not in one place.
    virtual void scan(const void* own, void* combined, std::size_t count, const PlainReduction& reduction) = 0;
};

}    // namespace ferry
