#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <ferry/framework/parcel/Parcel.hpp>

namespace ferry {

/// What a slave has been given and has not begun, in the order in which it came: tasks, and what counts for those behind it of the objects
/// that the master shares. Pure logic.
class SlaveQueue {
public:
    struct Task {
        std::shared_ptr<const Letter> letter;    ///< holds the parcel's body
        Parcel parcel;
    };

    /// A letter of tasks, or one of kind SharedNotice. Errors: SerializationError for a damaged one, of which nothing is kept.
    void add(Letter letter);

    bool isEmpty() const noexcept { return entries_.empty(); }

    /// The notice that comes before any task that is left.
    std::optional<Envelope> nextNotice();
    /// The next task; nothing when a notice comes before it, or none is left.
    std::optional<Task> nextTask();
    /// Whether the next task came in the same letter as this one.
    bool goesOnAfter(const Task& task) const noexcept;

    /// Takes the tasks out that are still here, of those with these numbers.
    std::vector<Task> remove(const std::vector<std::int32_t>& numbers);

private:
    struct Entry {
        Task task;
        std::optional<Envelope> notice;    ///< then there is no task
    };
    std::deque<Entry> entries_;
};

}    // namespace ferry
