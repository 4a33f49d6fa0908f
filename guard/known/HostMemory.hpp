#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>

#include <ferry/connector/transport/SharedMemory.hpp>
#include <ferry/guard/known/RollNote.hpp>

namespace ferry::pmpi {

/// Counters of this process that the other processes of its host can reach (ArrivalTree). Where memory cannot be shared, there are no
/// counters.
///
/// Ownership: pages of other processes stay mapped until this process ends.
class HostMemory {
public:
    using Counter = std::atomic<std::uint64_t>;
    static_assert(Counter::is_always_lock_free, "the memory is shared by processes");

    static constexpr int slotCount = 64;    ///< greatest number of communicators of one process with counters at a time
    static constexpr int levelCount = 3;    ///< levels of the tree of a communicator

    /// Whether a rank of the host tells why the job ends: the roll call of a standstill, or the report of std::terminate.
    enum class Telling : std::uint32_t { none, begun, done };

    /// The memory that the processes of a host map of each other.
    struct Page {
        struct alignas(64) Line {    // aligned, so that no two counters share a cache line
            Counter counter{0};
        };
        std::array<std::array<Line, levelCount>, slotCount> lines{};
        /// For roll calls (preload/RollCaller), in which the processes of a host ask each other without MPI.
        struct alignas(64) Board {
            std::atomic<std::uint32_t> bell{0};             ///< changes when the process is to look at the board
            std::atomic<std::uint32_t> wished{0};           ///< number of wishes that this process makes a roll call
            std::atomic<std::uint32_t> asked{0};            ///< number of questions to this process
            std::atomic<std::uint32_t> answered{0};         ///< the question that the note answers
            std::atomic<std::uint32_t> looks{0};            ///< number of questions for the progress of this process
            std::atomic<std::uint32_t> looked{0};           ///< the question that the progress answers
            std::atomic<std::uint32_t> isOver{0};           ///< 1: the process answers no more
            std::atomic<std::uint32_t> hasFinalized{0};     ///< 1: the process has left MPI in order, and may end at any time
            std::atomic<Telling> telling{Telling::none};    ///< on the page of the first rank of the host
            std::atomic<std::uint32_t> isEnding{0};         ///< on that page, too; 1: a rank of the host fails for a signal
            std::atomic<std::uint64_t> progress{0};
            RollNote note{};
        } board;
    };

    static HostMemory& ofProcess();

    HostMemory();
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;

    /// The address of this process's page. All zero: the process has no page.
    const detail::SharedMemory::Address& address() const noexcept { return own_.address(); }
    /// The page of this process; null: there is none.
    Page* own() noexcept;
    /// The page of a process of this host, this process included; null: the page cannot be mapped.
    Page* pageAt(const detail::SharedMemory::Address& address);
    /// Sets this process's counters of a slot to zero. To be called when the communicator is gone.
    void clear(int slot) noexcept;

private:
    detail::SharedMemory own_;
    std::map<detail::SharedMemory::Address, detail::SharedMemory> others_;
};

}    // namespace ferry::pmpi
