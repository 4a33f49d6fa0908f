#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <ferry/connector/transport/HostTeam.hpp>

namespace ferry::detail {

/// The memory shared by ranks that are threads of one process, and the places of their data during a collective.
///
/// Threads: all ranks.
class ThreadHost {
public:
    explicit ThreadHost(int rankCount) : places_(static_cast<std::size_t>(rankCount)) {}

    /// The data that a rank brings to a collective.
    struct Place {
        const std::byte* own = nullptr;
        std::byte* combined = nullptr;
        std::span<const std::size_t> byteCounts{};
    };

    int rankCount() const noexcept { return static_cast<int>(places_.size()); }
    /// Returns the shared memory, which the first call makes. The other calls ask for the same number of bytes.
    std::span<std::byte> memory(std::size_t bytes);
    Place& placeOf(int rank) noexcept { return places_[static_cast<std::size_t>(rank)]; }

    /// Returns when all ranks have called it.
    void meet() noexcept;

private:
    struct alignas(64) Line {
        std::byte bytes[64];
    };
    std::mutex mutex_;
    std::vector<Line> memory_;
    std::size_t memoryBytes_ = 0;
    std::vector<Place> places_;
    std::atomic<int> metCount_{0};
    std::atomic<unsigned> meeting_{0};
};

/// The team of threads of one process. Each rank reads the data that it needs from where the other ranks have it.
class ThreadHostTeam final : public HostTeam {
public:
    ThreadHostTeam(int rank, std::shared_ptr<ThreadHost> host, std::size_t memoryBytes);

    std::span<std::byte> memory() noexcept override { return memory_; }
    bool isCrowded() const noexcept override { return isCrowded_; }
    bool canMove(std::size_t) const noexcept override { return true; }

    void broadcast(void* data, std::size_t bytes, int root) override;
    void allGather(const void* own, std::span<const std::size_t> byteCounts, void* all) override;
    void allToAll(const void* outgoing, std::span<const std::size_t> outgoingBytes, void* incoming,
                  std::span<const std::size_t> incomingBytes) override;
    void allToAllEvenly(const void* outgoing, void* incoming, std::size_t bytesOfRank) override;
    void reduce(const void* own, void* combined, std::size_t count, const PlainReduction& reduction, int root) override;
    void scan(const void* own, void* combined, std::size_t count, const PlainReduction& reduction) override;

private:
    struct Share {
        std::size_t first = 0;
        std::size_t count = 0;
    };
    /// The elements that a rank combines for all ranks.
    Share shareOf(int rank, std::size_t count) const noexcept;
    void show(const ThreadHost::Place& place);

    int rank_;
    std::shared_ptr<ThreadHost> host_;
    std::span<std::byte> memory_;
    bool isCrowded_;
};

}    // namespace ferry::detail
