#include <ferry/framework/slave/SlaveQueue.hpp>

#include <unordered_set>
#include <utility>

#include <ferry/connector/message/state/insist.hpp>
#include <ferry/framework/parcel/JobKind.hpp>

namespace ferry::detail {

void SlaveQueue::add(Letter letter) {
    if (letter.envelope.kind == JobKind::SharedNotice) {
        insist([&] { entries_.push_back({{}, letter.envelope}); });
        return;
    }
    const auto shared = insist([&] { return std::make_shared<const Letter>(std::move(letter)); });    // moves it once there is memory
    const auto parcels = insist([&] { return parcelsIn(*shared); });
    for (const Parcel& parcel : parcels) insist([&] { entries_.push_back({{shared, parcel}, std::nullopt}); });
}

std::optional<Envelope> SlaveQueue::nextNotice() {
    if (entries_.empty() || !entries_.front().notice) return std::nullopt;
    const std::optional<Envelope> notice = entries_.front().notice;
    entries_.pop_front();
    return notice;
}

std::optional<SlaveQueue::Task> SlaveQueue::nextTask() {
    if (entries_.empty() || entries_.front().notice) return std::nullopt;
    std::optional<Task> task = std::move(entries_.front().task);
    entries_.pop_front();
    return task;
}

bool SlaveQueue::goesOnAfter(const Task& task) const noexcept { return !entries_.empty() && entries_.front().task.letter == task.letter; }

void SlaveQueue::tellBegin(std::int32_t number) noexcept {
    for (Entry& entry : entries_) {
        if (!entry.notice && entry.task.parcel.number == number) entry.task.tellsBegin = true;
    }
}

std::vector<SlaveQueue::Task> SlaveQueue::remove(const std::vector<std::int32_t>& numbers) {
    const std::unordered_set<std::int32_t> wanted(numbers.begin(), numbers.end());
    std::vector<Task> removed;
    std::deque<Entry> kept;
    for (Entry& entry : entries_) {
        if (!entry.notice && wanted.contains(entry.task.parcel.number)) {
            removed.push_back(std::move(entry.task));
        } else {
            kept.push_back(std::move(entry));
        }
    }
    entries_ = std::move(kept);
    return removed;
}

}    // namespace ferry::detail
