#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>

namespace ferry::pmpi {

/// Counters of this process that the other processes of its host can reach (ArrivalTree).
///
/// They lie in a file of the kernel without a name, which others open by way of this process's number: when a process is killed nothing is
/// left behind. Where that cannot be, as between users or containers, the memory is not there.
///
/// Ownership: what was mapped of others stays mapped until this process ends.
class HostMemory {
public:
    using Counter = std::atomic<std::uint64_t>;
    static_assert(Counter::is_always_lock_free);    // other processes look at it

    static constexpr int slotCount = 64;    ///< communicators of one process that can have counters at the same time
    static constexpr int levelCount = 3;    ///< of the tree of a communicator

    /// What the processes of a host map of each other.
    struct Page {
        using Key = std::array<std::uint64_t, 2>;
        struct alignas(64) Line {    // no two in one line of the processor's cache
            Counter counter{0};
        };
        Key key{};
        std::array<std::array<Line, levelCount>, slotCount> lines{};
    };

    /// Where the page of a process is to be found on its host. All zero: it has none.
    struct Address {
        std::int64_t process = 0;
        std::int64_t file = 0;
        Page::Key key{};    ///< drawn at random: processes of two containers may have the same number
        bool operator==(const Address&) const = default;
    };

    static HostMemory& ofProcess();

    HostMemory();
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;

    const Address& address() const noexcept { return address_; }
    /// The page of a process of this host, this one included; null when it cannot be had.
    Page* pageAt(const Address& address);
    /// Sets this process's counters of a slot to zero, when its communicator is gone.
    void clear(int slot) noexcept;

private:
    Address address_;
    Page* own_ = nullptr;
    std::map<Page::Key, Page*> pages_;    // of all, this one included
};

}    // namespace ferry::pmpi
