#include <ferry/framework/schedule/TaskQueue.hpp>

namespace ferry::detail {

void TaskQueue::add(const Entry& entry) { add(entry, End::Last); }

void TaskQueue::addFirst(const Entry& entry) { add(entry, End::First); }

void TaskQueue::add(const Entry& entry, End end) {
    makeRoomFor(entry.call);
    waiting_.insert(entry.call);
    try {
        if (entry.facts.taskCount > 1) bundles_[entry.call] = entry.facts.taskCount;
        std::deque<Entry>& entries = byPriority_[entry.facts.priority];
        entries.insert(end == End::First ? entries.begin() : entries.end(), entry);
        if (entry.facts.taskCount > 1) furtherTasks_ += entry.facts.taskCount - 1;
    } catch (...) {
        waiting_.erase(entry.call);
        bundles_.erase(entry.call);
        std::erase_if(byPriority_, [](const auto& one) { return one.second.empty(); });
        throw;
    }
}

bool TaskQueue::remove(std::int32_t call) {
    if (waiting_.erase(call) == 0) return false;
    forget(call);
    constexpr std::size_t keptRemoved = 64;
    removed_.insert(call);
    if (removed_.size() > waiting_.size() + keptRemoved) compact();
    return true;
}

const TaskQueue::Entry& TaskQueue::first() {
    dropRemoved();
    return byPriority_.begin()->second.front();
}

TaskQueue::Entry TaskQueue::takeFirst() {
    dropRemoved();
    const auto highest = byPriority_.begin();
    const Entry entry = highest->second.front();
    highest->second.pop_front();
    if (highest->second.empty()) byPriority_.erase(highest);
    waiting_.erase(entry.call);
    forget(entry.call);
    return entry;
}

/// Notes that a call waits no more, which may stand for several tasks.
void TaskQueue::forget(std::int32_t call) noexcept {
    if (bundles_.empty()) return;
    const auto bundle = bundles_.find(call);
    if (bundle == bundles_.end()) return;
    furtherTasks_ -= bundle->second - 1;
    bundles_.erase(bundle);
}

/// Makes sure that a call that was removed and comes back is in the deques only once.
void TaskQueue::makeRoomFor(std::int32_t call) {
    if (!removed_.empty() && removed_.contains(call)) compact();
}

void TaskQueue::dropRemoved() {
    while (!removed_.empty()) {
        const auto highest = byPriority_.begin();
        if (removed_.erase(highest->second.front().call) == 0) return;
        highest->second.pop_front();
        if (highest->second.empty()) byPriority_.erase(highest);
    }
}

void TaskQueue::compact() {
    for (auto& [priority, entries] : byPriority_)
        std::erase_if(entries, [this](const Entry& entry) { return !waiting_.contains(entry.call); });
    std::erase_if(byPriority_, [](const auto& one) { return one.second.empty(); });
    removed_.clear();
}

}    // namespace ferry::detail
