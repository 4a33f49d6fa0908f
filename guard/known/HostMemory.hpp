#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>

#include <ferry/connector/transport/SharedMemory.hpp>

namespace ferry::pmpi {

/// Counters of this process that the other processes of its host can reach (ArrivalTree). Where no memory can be shared there are none.
///
/// Ownership: what was mapped of others stays mapped until this process ends.
class HostMemory {
public:
    using Counter = std::atomic<std::uint64_t>;
    static_assert(Counter::is_always_lock_free, "the memory is shared by processes");

    static constexpr int slotCount = 64;    ///< communicators of one process that can have counters at the same time
    static constexpr int levelCount = 3;    ///< of the tree of a communicator

    /// What the processes of a host map of each other.
    struct Page {
        struct alignas(64) Line {    // no two in one line of the processor's cache
            Counter counter{0};
        };
        std::array<std::array<Line, levelCount>, slotCount> lines{};
    };

    static HostMemory& ofProcess();

    HostMemory();
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;

    /// All zero: this process has none.
    const SharedMemory::Address& address() const noexcept { return own_.address(); }
    /// The page of a process of this host, this one included; null when it cannot be had.
    Page* pageAt(const SharedMemory::Address& address);
    /// Sets this process's counters of a slot to zero, when its communicator is gone.
    void clear(int slot) noexcept;

private:
    SharedMemory own_;
    std::map<SharedMemory::Address, SharedMemory> others_;
};

}    // namespace ferry::pmpi
