#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

class Mailbox;

/// The list of connectors of one rank's groups that were destroyed while the rank may have been in a call (droppedConnectors.hpp).
///
/// Ownership: borrows the connectors. Threads: add() on any thread, the rest on the thread that uses the rank's connectors.
class DroppedGroups {
public:
    /// The place of a connector in the list. The transport of each group has one, so that a drop needs no memory.
    struct Dropped {
        Mailbox* mailbox = nullptr;
        void* connector = nullptr;
        void (*destroy)(void*) noexcept = nullptr;
        std::uint64_t thread = 0;    ///< the thread that has destroyed the connector, and its rank
        int rank = -1;
        bool isTold = false;    ///< whether the mailbox knows
        Dropped* next = nullptr;
    };

    DroppedGroups() = default;
    DroppedGroups(const DroppedGroups&) = delete;
    DroppedGroups& operator=(const DroppedGroups&) = delete;

    /// Takes connectors from now on until end(). transport: the outermost one of the rank.
    void begin(Transport& transport) noexcept { setTransport(&transport); }
    void end() noexcept { setTransport(nullptr); }

    /// Adds a connector, and wakes the rank. False: the list takes none.
    bool add(Dropped& dropped) noexcept {
        const std::lock_guard lock(mutex_);
        if (transport_ == nullptr) return false;
        dropped.next = std::exchange(first_, &dropped);
        hasNews_.store(true);
        transport_->wake();
        return true;
    }

    /// Whether there may be a connector whose mailbox does not know that it was dropped.
    bool hasNews() const noexcept { return hasNews_.load(std::memory_order_relaxed); }
    /// Returns the next such connector, which stays in the list, and counts as told from now on. Null: there is none.
    Dropped* nextUntold() noexcept {
        const std::lock_guard lock(mutex_);
        hasNews_.store(false);
        for (Dropped* dropped = first_; dropped != nullptr; dropped = dropped->next) {
            if (!std::exchange(dropped->isTold, true)) return dropped;
        }
        return nullptr;
    }

    /// Takes out a connector for which isOver(Dropped) holds. Null: there is none.
    template <class IsOver>
    Dropped* takeIf(const IsOver& isOver) {
        const std::lock_guard lock(mutex_);
        for (Dropped** place = &first_; *place != nullptr; place = &(*place)->next) {
            Dropped* const dropped = *place;
            if (!isOver(*dropped)) continue;
            *place = dropped->next;
            return dropped;
        }
        return nullptr;
    }

private:
    void setTransport(Transport* transport) noexcept {
        const std::lock_guard lock(mutex_);
        transport_ = transport;
    }

    std::mutex mutex_;
    Transport* transport_ = nullptr;    ///< null: the list takes no connectors
    Dropped* first_ = nullptr;
    std::atomic<bool> hasNews_{false};
};

}    // namespace ferry::detail
