#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <ferry/framework/parcel/Parcel.hpp>

namespace ferry::detail {

/// The tasks of a slave that it has not begun, in order of arrival. Notices about shared objects stand among the tasks; each counts for the
/// tasks behind it. Pure logic.
class SlaveQueue {
public:
    struct Task {
        std::shared_ptr<const Letter> letter;    ///< holds the parcel's body
        Parcel parcel;
        bool tellsBegin = false;    ///< the master wants to know when the task begins
    };

    /// Adds a letter of tasks or of kind SharedNotice. Errors: SerializationError for a damaged letter, of which nothing is kept.
    void add(Letter letter);

    bool isEmpty() const noexcept { return entries_.empty(); }

    /// Takes out the notice at the front of the queue, if a notice is there.
    std::optional<Envelope> nextNotice();
    /// Takes out the next task. Empty: a notice comes before it, or no task is left.
    std::optional<Task> nextTask();
    /// Whether the next task came in the same letter as the given task.
    bool goesOnAfter(const Task& task) const noexcept;

    /// Notes that the master wants to know when the task begins. A task that is not in the queue is over.
    void tellBegin(std::int32_t number) noexcept;
    /// Takes out the tasks with these numbers that are still in the queue.
    std::vector<Task> remove(const std::vector<std::int32_t>& numbers);

private:
    struct Entry {
        Task task;
        std::optional<Envelope> notice;    ///< set: the entry holds no task
    };
    std::deque<Entry> entries_;
};

}    // namespace ferry::detail
