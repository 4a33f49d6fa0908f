#include <ferry/connector/message/state/Regions.hpp>

#include <algorithm>
#include <exception>
#include <utility>

#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>

namespace ferry::detail {

namespace {

// A rank is ahead of another by the regions inside one region and the next one. Damaged letters alone bring more notices than this limit.
constexpr std::size_t maxNotices = 1024;

std::int32_t after(std::int32_t number) noexcept {
    const auto next = static_cast<std::int32_t>(static_cast<std::uint32_t>(number) + 1);
    return next != 0 ? next : 1;    // 0 stands for no region
}

}    // namespace

void Regions::stamp(IntBuffer& ints, std::int32_t region) {
    clock_ = after(clock_);
    if (ints.ownSize() < Envelope::sizeInts) return;
    ints.data()[Envelope::regionAt] = region;
    ints.data()[Envelope::clockAt] = clock_;
}

void Regions::noteArrival(int from, Channel channel, std::int32_t clock) {
    if (comesBefore(clock_, clock)) clock_ = clock;
    clock_ = after(clock_);
    Heard& heard = heard_[static_cast<std::size_t>(from)];
    (channel == Channel::Data ? heard.onData : heard.onControl) = clock;
}

void Regions::noteDue(const std::exception_ptr& exception) {
    if (stack_.empty()) return;
    stack_.back().due = exception;
    stack_.back().dueAt = clock_;
}

std::int32_t Regions::timeOf(const std::exception_ptr& exception, std::int32_t enteredAt) const {
    const auto record = throwRecordOf(objectOf(exception));
    const bool isNoted = record != nullptr && record->time.clock == &clock_;
    if (isNoted && !comesBefore(record->time.value, enteredAt)) return record->time.value;
    if (!stack_.empty() && stack_.back().due == exception) return stack_.back().dueAt;
    return clock_;
}

bool Regions::hasHeardAfter(int from, std::int32_t clock) const noexcept {
    const Heard& heard = heard_[static_cast<std::size_t>(from)];
    return comesBefore(clock, heard.onData) && comesBefore(clock, heard.onControl);
}

Regions::State Regions::save() const { return {failed_, last_}; }

void Regions::restore(const State& state) {
    notices_.clear();
    failed_ = state.failed;
    last_ = state.last;
}

void Regions::enter() {
    Region region;
    region.number = after(last_);
    region.uncaughtAtEntry = std::uncaught_exceptions();
    for (const Notice& notice : notices_) {
        if (notice.region != region.number) continue;
        region.isFailed = true;
        region.failedRank = notice.rank;
    }
    stack_.push_back(std::move(region));
    skipTo(innermost());    // only after the push, which may throw: all ranks must count alike
}

void Regions::leaveFailed(std::int32_t last, std::int32_t clock) {
    failed_.push_back(Range{innermost(), last, clock});
    leave();
    skipTo(last);
    forgetWhatIsIn();
}

void Regions::skipTo(std::int32_t last) {
    if (comesBefore(last_, last)) last_ = last;
    std::erase_if(notices_, [this](const Notice& notice) { return !comesBefore(last_, notice.region); });
}

/// Forgets the oldest ranges of failed regions, as long as no letter of them can be under way: later packets of every rank have arrived.
void Regions::forgetWhatIsIn() {
    const auto isIn = [this](const Range& range) {
        for (std::size_t rank = 0; rank < heard_.size(); ++rank) {
            if (!heard_[rank].isGone && !hasHeardAfter(static_cast<int>(rank), range.clock)) return false;
        }
        return true;
    };
    failed_.erase(failed_.begin(), std::find_if_not(failed_.begin(), failed_.end(), isIn));
}

void Regions::noteFailure(std::int32_t region, int rank) {
    const auto entered = std::find_if(stack_.begin(), stack_.end(), [region](const Region& one) { return one.number == region; });
    if (entered != stack_.end()) {
        if (!entered->isFailed) entered->failedRank = rank;
        entered->isFailed = true;
    } else if (comesBefore(last_, region) && notices_.size() < maxNotices) {
        notices_.push_back(Notice{region, rank});
    }
}

bool Regions::hasOuterFailed() const noexcept {
    return stack_.size() > 1 && std::any_of(stack_.begin(), stack_.end() - 1, [](const Region& region) { return region.isFailed; });
}

void Regions::throwIfAnyFailed() const {
    const auto failed = std::find_if(stack_.begin(), stack_.end(), [](const Region& region) { return region.isFailed; });
    if (failed != stack_.end()) throw RegionFailed(failed->failedRank);
}

bool Regions::isOver(std::int32_t region) const noexcept {
    if (region == 0) return false;
    for (auto range = failed_.rbegin(); range != failed_.rend() && !comesBefore(range->last, region); ++range) {
        if (!comesBefore(region, range->first)) return true;
    }
    return false;
}

}    // namespace ferry::detail
