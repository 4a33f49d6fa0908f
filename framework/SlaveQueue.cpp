#include <ferry/framework/SlaveQueue.hpp>

#include <unordered_set>
#include <utility>

namespace ferry {

void SlaveQueue::add(Letter letter) {
    if (letter.envelope.kind == MessageKind::Shared) {
        entries_.push_back({{}, std::move(letter)});
        return;
    }
    const auto shared = std::make_shared<const Letter>(std::move(letter));
    for (const Parcel& parcel : parcelsIn(*shared)) entries_.push_back({{shared, parcel}, std::nullopt});
}

std::optional<Letter> SlaveQueue::nextShared() {
    if (entries_.empty() || !entries_.front().shared) return std::nullopt;
    std::optional<Letter> letter = std::move(entries_.front().shared);
    entries_.pop_front();
    return letter;
}

std::optional<SlaveQueue::Task> SlaveQueue::nextTask() {
    if (entries_.empty() || entries_.front().shared) return std::nullopt;
    std::optional<Task> task = std::move(entries_.front().task);
    entries_.pop_front();
    return task;
}

bool SlaveQueue::goesOnAfter(const Task& task) const noexcept { return !entries_.empty() && entries_.front().task.letter == task.letter; }

std::vector<SlaveQueue::Task> SlaveQueue::remove(const std::vector<std::int32_t>& numbers) {
    const std::unordered_set<std::int32_t> wanted(numbers.begin(), numbers.end());
    std::vector<Task> removed;
    std::deque<Entry> kept;
    for (Entry& entry : entries_) {
        if (!entry.shared && wanted.contains(entry.task.parcel.number)) {
            removed.push_back(std::move(entry.task));
        } else {
            kept.push_back(std::move(entry));
        }
    }
    entries_ = std::move(kept);
    return removed;
}

}    // namespace ferry
