#include <ferry/framework/schedule/TaskQueue.hpp>

#include <iterator>
#include <utility>

namespace ferry::detail {

void TaskQueue::add(const Entry& entry) { add(entry, End::Last); }

void TaskQueue::addFirst(const Entry& entry) { add(entry, End::First); }

void TaskQueue::add(const Entry& entry, End end) {
    if (!removed_.empty() && removed_.contains(entry.call)) compact();    // the call is in the deques only once
    std::deque<Entry>& entries = entriesOf(entry.facts.priority);
    try {
        if (hasIndex_) index_.insert(entry.call);
        if (entry.facts.taskCount > 1) bundles_[entry.call] = entry.facts.taskCount;
        end == End::First ? entries.push_front(entry) : entries.push_back(entry);
    } catch (...) {
        index_.erase(entry.call);
        bundles_.erase(entry.call);
        if (entries.empty() && byPriority_.size() > 1) byPriority_.erase(entry.facts.priority);
        throw;
    }
    ++count_;
    if (entry.facts.taskCount > 1) furtherTasks_ += entry.facts.taskCount - 1;
}

/// The deque of a priority. The deque of an empty queue gets the priority.
std::deque<TaskQueue::Entry>& TaskQueue::entriesOf(int priority) {
    if (byPriority_.empty()) return byPriority_[priority];
    const auto highest = byPriority_.begin();
    if (highest->first == priority) return highest->second;
    if (!isEmpty()) return byPriority_[priority];
    auto only = byPriority_.extract(highest);
    only.key() = priority;
    return byPriority_.insert(std::move(only)).position->second;
}

bool TaskQueue::remove(std::int32_t call) {
    if (isEmpty()) return false;
    if (!hasIndex_) makeIndex();
    if (!index_.contains(call)) return false;
    constexpr std::size_t keptRemoved = 64;
    removed_.insert(call);
    index_.erase(call);
    forget(call);
    if (isEmpty() || removed_.size() > count_ + keptRemoved) compact();
    return true;
}

void TaskQueue::makeIndex() {
    try {
        for (const auto& [priority, entries] : byPriority_) {
            for (const Entry& entry : entries) index_.insert(entry.call);    // no entry has been removed yet
        }
    } catch (...) {
        index_.clear();
        throw;
    }
    hasIndex_ = true;
}

void TaskQueue::dropFirst() {
    const std::int32_t call = first().call;
    dropFirstEntry();
    if (hasIndex_) index_.erase(call);
    forget(call);
    if (isEmpty()) compact();
}

/// Notes that a call waits no more, which may stand for several tasks.
void TaskQueue::forget(std::int32_t call) noexcept {
    --count_;
    if (bundles_.empty()) return;
    const auto bundle = bundles_.find(call);
    if (bundle == bundles_.end()) return;
    furtherTasks_ -= bundle->second - 1;
    bundles_.erase(bundle);
}

/// Takes out the first entries, which have been removed. There must be an entry that has not.
void TaskQueue::dropRemoved() noexcept {
    while (!removed_.empty() && removed_.erase(byPriority_.begin()->second.front().call) != 0) dropFirstEntry();
}

void TaskQueue::dropFirstEntry() noexcept {
    const auto highest = byPriority_.begin();
    highest->second.pop_front();
    if (highest->second.empty() && byPriority_.size() > 1) byPriority_.erase(highest);
}

/// Takes out all entries that have been removed. Ends the index of an empty queue.
void TaskQueue::compact() noexcept {
    if (!removed_.empty()) {
        for (auto level = byPriority_.begin(); level != byPriority_.end();) {
            std::erase_if(level->second, [this](const Entry& entry) { return removed_.contains(entry.call); });
            const bool isOver = level->second.empty() && byPriority_.size() > 1;
            level = isOver ? byPriority_.erase(level) : std::next(level);
        }
        removed_.clear();
    }
    if (!isEmpty() || !hasIndex_) return;
    index_.clear();
    hasIndex_ = false;
}

}    // namespace ferry::detail
