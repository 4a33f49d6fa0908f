#include <ferry/framework/slave/SlaveQueue.hpp>

#include <algorithm>
#include <cstddef>
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
    const auto isWanted = [&wanted](const Entry& entry) { return !entry.notice && wanted.contains(entry.task.parcel.number); };
    std::vector<Task> removed;
    removed.reserve(static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(), isWanted)));
    auto kept = entries_.begin();    // from here on nothing allocates, so that no task gets lost
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
        if (isWanted(*entry)) {
            removed.push_back(std::move(entry->task));
        } else {
            if (kept != entry) *kept = std::move(*entry);
            ++kept;
        }
    }
    entries_.erase(kept, entries_.end());
    return removed;
}

}    // namespace ferry::detail
