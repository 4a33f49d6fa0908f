#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace ferry::detail {

/// A growing hash table with open addressing, whose look-up takes no lock. Entries are never removed and never move.
///
/// An Entry has two functions. hash() returns a number whose low bits are well mixed. has(key...) says whether the entry has this key.
/// Threads: find from any number of threads at any time; add from one thread at a time.
template <class Entry>
class ReadMostlyTable {
public:
    ReadMostlyTable() { use(std::make_unique<Slots>(FirstSlotCount)); }
    ReadMostlyTable(const ReadMostlyTable&) = delete;
    ReadMostlyTable& operator=(const ReadMostlyTable&) = delete;

    /// The entry with this hash and key, or null.
    template <class... Key>
    const Entry* find(std::uint32_t hash, const Key&... key) const noexcept {
        const Slots& slots = *slots_.load(std::memory_order_acquire);
        const std::size_t mask = slots.size() - 1;
        for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
            const Entry* entry = slots[slot].load(std::memory_order_acquire);
            if (entry == nullptr || entry->has(key...)) return entry;
        }
    }

    /// Adds an entry. Its key must not be in the table. Errors: std::bad_alloc, after which the table is as before.
    const Entry& add(Entry entry) {
        if (2 * (entries_.size() + 1) >= all_.back()->size()) grow();
        const Entry& added = entries_.emplace_back(std::move(entry));
        insert(*all_.back(), added);
        return added;
    }

    /// All entries in the order of their addition. Only for the thread that adds.
    const std::deque<Entry>& entries() const noexcept { return entries_; }

private:
    using Slots = std::vector<std::atomic<const Entry*>>;    // size: a power of two; at least half of the slots are free

    static constexpr std::size_t FirstSlotCount = 64;

    static void insert(Slots& slots, const Entry& entry) noexcept {
        const std::size_t mask = slots.size() - 1;
        std::size_t slot = entry.hash() & mask;
        while (slots[slot].load(std::memory_order_relaxed) != nullptr) slot = (slot + 1) & mask;
        slots[slot].store(&entry, std::memory_order_release);
    }

    void grow() {
        auto larger = std::make_unique<Slots>(2 * all_.back()->size());
        for (const Entry& each : entries_) insert(*larger, each);
        use(std::move(larger));
    }

    /// Keeps the slots before readers see them: without memory to keep them, they end here.
    void use(std::unique_ptr<Slots> slots) {
        const Slots* const kept = all_.emplace_back(std::move(slots)).get();
        slots_.store(kept, std::memory_order_release);
    }

    std::deque<Entry> entries_;
    std::vector<std::unique_ptr<Slots>> all_;    // the last one is in use; a reader may still use an earlier one
    std::atomic<const Slots*> slots_;
};

}    // namespace ferry::detail
