#include <ferry/framework/schedule/Schedule.hpp>

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

Schedule::Schedule(int slaveCount, const ScheduleSettings& settings)
    : settings_(settings),
      slaves_(static_cast<std::size_t>(std::max(slaveCount, 0))),
      idle_(slaveCount),
      recallable_(slaveCount),
      recallableLater_(slaveCount),
      liveCount_(std::max(slaveCount, 0)) {
    unranked_.reserve(slaves_.size());
    for (SlaveLoad& slave : slaves_) noteChanged(slave);
}

const Schedule::SlaveLoad& Schedule::slaveAt(int slave) const {
    if (slave < 0 || slave >= slaveCount()) throw UsageError(fmt::format("slave {} of {}", slave, slaveCount()));
    return slaves_[static_cast<std::size_t>(slave)];
}

Schedule::SlaveLoad& Schedule::slaveAt(int slave) { return const_cast<SlaveLoad&>(std::as_const(*this).slaveAt(slave)); }

std::vector<std::int32_t> Schedule::callsAt(int slave) const {
    std::vector<std::int32_t> calls;
    for (const HeldCalls::Held& held : slaveAt(slave).held.all()) calls.push_back(held.entry.call);
    return calls;
}

void Schedule::group(int subMaster, int slaveCount) {
    SlaveLoad& first = slaveAt(subMaster);
    first.isSubMaster = true;
    setWidth(first, slaveCount);
    widestGroup_ = std::max(widestGroup_, slaveCount);
    for (int slave = subMaster + 1; slave <= subMaster + slaveCount; ++slave) setWidth(slaveAt(slave), 0);
}

void Schedule::setWidth(SlaveLoad& slave, int width) {
    if (!slave.isGone) liveCount_ += width - slave.width;
    slave.width = width;
    noteChanged(slave);
}

std::optional<Schedule::Duration> Schedule::expectedTime(const SlaveLoad& slave, std::int32_t kind) const {
    if (const DurationEstimate* const own = slave.estimates.find(kind)) return own->expected();
    const Kind* const ofAll = kinds_.find(kind);
    return ofAll != nullptr ? ofAll->estimate.expected() : std::nullopt;
}

/// Whether the slave is silent although its calls should be done.
bool Schedule::isLate(const SlaveLoad& slave, TimePoint now) const {
    return now - slave.lastHeard > 2 * slave.expected / std::max(slave.width, 1) + settings_.patience;
}

bool Schedule::isFull(const SlaveLoad& slave) const {
    return slave.held.taskCount() >= 2 * widthOf(slave) && slave.expected >= slave.width * batchTime_;
}

/// The number of such calls in a full batch.
std::size_t Schedule::capacity(std::optional<Duration> expected, const CallFacts& facts, int width) const {
    if (!expected) return 1;
    const auto byTime = static_cast<std::size_t>(width * batchTime_ / std::max(*expected, Duration(1)));
    const std::size_t byInts = settings_.maxBatchInts / std::max<std::size_t>(facts.ints, 1);
    return std::max<std::size_t>(std::min({byTime, byInts, settings_.maxBatchCount}), 1);
}

std::size_t Schedule::wantedCount(const CallFacts& facts) const {
    constexpr std::size_t batchesPerSlave = 4;    // two at the slave, one that waits for it, and one whose replies are under way
    const Kind* const ofAll = kinds_.find(facts.kind);
    return static_cast<std::size_t>(liveCount()) * batchesPerSlave *
           capacity(ofAll != nullptr ? ofAll->estimate.expected() : std::nullopt, facts, 1);
}

std::size_t Schedule::bundleSize(const CallFacts& facts) const {
    constexpr std::size_t most = 63;
    if (widestGroup_ < 2) return 1;
    const Kind* const ofAll = kinds_.find(facts.kind);
    if (ofAll == nullptr || ofAll->estimate.expected() > settings_.longestAhead) return 1;
    return std::min(most, static_cast<std::size_t>(widestGroup_));
}

/// The slave with room that has the least work. Empty: no slave has room.
std::optional<int> Schedule::chooseSlave(const CallFacts& facts, TimePoint now) {
    rankChanged();
    if (isOpenTo(facts, now)) return facts.preferred;
    std::optional<int> best = idle_.firstBut(facts.avoided);
    // Otherwise the slave that has given the call back would get it again, while the avoided slave stays idle.
    if (!best && facts.isGivenBack) best = idle_.first();
    if (!best && !facts.isSuspect) best = chooseWorking(facts, now);
    return best ? best : idle_.first();    // only the avoided slave has room
}

/// Whether the slave that the call prefers can take it: the slave is idle, or soon done with the little that it has.
bool Schedule::isOpenTo(const CallFacts& facts, TimePoint now) const {
    if (facts.preferred == CallFacts::noSlave || facts.preferred == facts.avoided || facts.preferred >= slaveCount()) return false;
    const SlaveLoad& slave = slaveAt(facts.preferred);
    if (slave.isGone || slave.width != 1) return false;
    if (slave.held.isEmpty()) return true;
    const std::optional<Duration> expected = expectedTime(slave, facts.kind);
    const bool isShort = expected && *expected <= settings_.longestAhead;
    return isShort && !facts.isSuspect && !slave.isRecalled && !isFull(slave) && !isLate(slave, now);
}

std::optional<int> Schedule::chooseWorking(const CallFacts& facts, TimePoint now) {
    Kind* const found = kinds_.find(facts.kind);
    if (found == nullptr) return std::nullopt;
    Kind& kind = *found;
    const std::optional<int> measured = firstInTime(kind.measured, facts.avoided, now);
    if (kind.estimate.expected() > settings_.longestAhead) return measured;
    const std::optional<int> unmeasured = firstInTime(kind.unmeasured, facts.avoided, now);
    if (!measured || !unmeasured) return measured ? measured : unmeasured;
    const auto place = [](const LoadRanking& ranking, int slave) { return std::pair(ranking.keyOf(slave), slave); };
    return place(kind.measured, *measured) < place(kind.unmeasured, *unmeasured) ? measured : unmeasured;
}

/// The first slave of a ranking that is not late. A late slave leaves the ranking until its next letter.
std::optional<int> Schedule::firstInTime(LoadRanking& ranking, int avoided, TimePoint now) {
    std::optional<int> first = ranking.firstBut(avoided);
    while (first && isLate(slaveAt(*first), now)) {
        ranking.clear(*first);
        first = ranking.firstBut(avoided);
    }
    return first;
}

std::optional<Schedule::Assignment> Schedule::next(Supply supply, TimePoint now) {
    if (queue_.isEmpty()) return std::nullopt;
    const CallFacts facts = queue_.first().facts;
    const std::optional<int> chosen = chooseSlave(facts, now);
    if (!chosen) return std::nullopt;
    SlaveLoad& slave = slaveAt(*chosen);
    std::size_t maxCount = settings_.maxBatchCount;
    if (supply == Supply::MoreComing) {
        const bool waits = !slave.held.isEmpty() || batchTime_ > settings_.batchTime;
        if (waits && queue_.taskCount() < capacity(expectedTime(slave, facts.kind), facts, slave.width)) return std::nullopt;
    } else {
        const auto live = static_cast<std::size_t>(liveCount());
        maxCount =
            std::min(maxCount, (queue_.taskCount() + live - 1) / live * widthOf(slave));    // the last calls are spread over all slaves
    }
    if (slave.held.isEmpty()) slave.lastHeard = now;
    return assign(slave, maxCount);
}

Schedule::Assignment Schedule::assign(SlaveLoad& slave, std::size_t maxCount) {
    Assignment batch{static_cast<int>(&slave - slaves_.data()), {}};
    const std::size_t width = widthOf(slave);
    const std::size_t heldCount = slave.held.taskCount();
    const std::size_t idleCount = width > heldCount ? width - heldCount : 1;    // each idle slave may get one task, however long
    Duration time{0};
    std::size_t ints = 0;
    std::size_t taskCount = 0;
    noteChanged(slave);
    while (!queue_.isEmpty()) {
        const CallFacts& facts = queue_.first().facts;
        const std::optional<Duration> expected = expectedTime(slave, facts.kind);
        const Duration expectedOfCall = expected.value_or(Duration(0)) * static_cast<std::int64_t>(facts.taskCount);
        time += expectedOfCall;
        ints += facts.ints;
        const bool haveAllOne = taskCount >= idleCount;
        const bool isLong = !expected || time > slave.width * batchTime_;
        const bool isFull = taskCount >= maxCount || ints > settings_.maxBatchInts || (isLong && haveAllOne);
        const bool isSuspect = facts.isSuspect;
        const bool isElsewhere =
            facts.avoided != CallFacts::noSlave || (facts.preferred != CallFacts::noSlave && facts.preferred != batch.slave);
        if (!batch.calls.empty() && (isFull || isSuspect || isElsewhere)) break;
        const std::size_t tasksOfCall = facts.taskCount;
        if (!isNoted(batch, slave, {queue_.first(), expectedOfCall})) break;
        queue_.dropFirst();
        slave.expected += expectedOfCall;
        taskCount += tasksOfCall;
        if (isSuspect || (!expected && taskCount >= idleCount)) break;
    }
    return batch;
}

/// Adds one more call to the batch. False: there is no memory for the call.
bool Schedule::isNoted(Assignment& batch, SlaveLoad& slave, const HeldCalls::Held& held) {
    const std::size_t count = batch.calls.size();
    try {
        batch.calls.push_back(held.entry.call);
        slave.held.add(held);
        return true;
    } catch (const std::bad_alloc&) {
        if (count == 0) throw;
        batch.calls.resize(count);
        return false;
    }
}

const HeldCalls::Held& Schedule::heldAt(SlaveLoad& slave, std::int32_t call) {
    const HeldCalls::Held* const held = slave.held.at(call);
    if (held == nullptr) throwNotHeld(slave, call);
    return *held;
}

void Schedule::throwNotHeld(const SlaveLoad& slave, std::int32_t call) const {
    throw UsageError(fmt::format("call {} is not at slave {}", call, &slave - slaves_.data()));
}

/// Takes a call from a slave. Returns the kind of the call.
std::int32_t Schedule::takeFrom(SlaveLoad& slave, std::int32_t call) {
    const std::optional<HeldCalls::Held> taken = slave.held.take(call);
    if (!taken) throwNotHeld(slave, call);
    slave.expected -= taken->expected;
    noteChanged(slave);
    return taken->entry.facts.kind;
}

void Schedule::finished(int slave, std::int32_t call, std::optional<Duration> taken, TimePoint now) {
    SlaveLoad& load = slaveAt(slave);
    const std::int32_t kind = takeFrom(load, call);
    load.lastHeard = now;
    if (!taken) return;
    try {
        measure(kind, load, *taken);
    } catch (const std::bad_alloc&) {
        // The measurement is left out.
    }
}

void Schedule::finishedTask(int slave, std::int32_t call, Duration taken, TimePoint now) {
    SlaveLoad& load = slaveAt(slave);
    const std::optional<HeldCalls::Held> task = load.held.takeTask(call);
    if (!task) throw UsageError(fmt::format("no task of call {} is at slave {}", call, slave));
    load.expected -= task->expected;
    load.lastHeard = now;
    noteChanged(load);
    try {
        measure(task->entry.facts.kind, load, taken);
    } catch (const std::bad_alloc&) {
        // The measurement is left out.
    }
}

void Schedule::splitOff(int slave, std::int32_t call, std::int32_t task, const CallFacts& facts) {
    SlaveLoad& load = slaveAt(slave);
    const HeldCalls::Held& whole = heldAt(load, call);
    if (whole.entry.facts.taskCount == 0) throw UsageError(fmt::format("call {} at slave {} has no task", call, slave));
    const Duration expected = whole.expected / static_cast<std::int64_t>(whole.entry.facts.taskCount);
    load.held.insert({{task, facts}, expected});
    static_cast<void>(load.held.takeTask(call));
    noteChanged(load);
}

void Schedule::measure(std::int32_t kind, SlaveLoad& slave, Duration taken) {
    DurationEstimate* const own = slave.estimates.find(kind);
    (own != nullptr ? *own : slave.estimates.add(kind)).add(taken);
    Kind* const ofAll = kinds_.find(kind);
    (ofAll != nullptr ? *ofAll : kinds_.add(kind, slaveCount())).estimate.add(taken);
    if (ofAll != nullptr) return;
    for (SlaveLoad& each : slaves_) noteChanged(each);
}

void Schedule::givenBack(int slave, std::int32_t call, TimePoint now, bool isSuspect) {
    SlaveLoad& load = slaveAt(slave);
    TaskQueue::Entry entry = heldAt(load, call).entry;
    entry.facts.isSuspect = entry.facts.isSuspect || isSuspect;
    entry.facts.isGivenBack = true;
    queue_.addFirst(entry);
    static_cast<void>(takeFrom(load, call));
    load.lastHeard = now;
}

std::vector<Schedule::Orphan> Schedule::lose(int slave) {
    SlaveLoad& load = slaveAt(slave);
    if (load.isGone) return {};
    leave(load);
    load.isRecalled = false;
    load.expected = Duration(0);
    std::vector<HeldCalls::Held> held = std::exchange(load.held, {}).all();
    std::vector<Orphan> orphans;
    // The last replies of the slave may be lost with it, so the slave may have worked on any of these calls.
    for (const HeldCalls::Held& one : held) orphans.push_back({one.entry.call, !load.isSubMaster});
    for (std::size_t i = held.size(); i-- > 0;) {
        held[i].entry.facts.isSuspect = held[i].entry.facts.isSuspect || orphans[i].mayHaveRun;
        queue_.addFirst(held[i].entry);
    }
    return orphans;
}

void Schedule::leave(SlaveLoad& slave) {
    slave.isGone = true;
    liveCount_ -= slave.width;
    noteChanged(slave);
}

void Schedule::addSlaves(int count) {
    liveCount_ += count;
    const auto firstNew = slaves_.size();
    slaves_.resize(firstNew + static_cast<std::size_t>(count));
    unranked_.reserve(slaves_.size());
    idle_.grow(slaveCount());
    recallable_.grow(slaveCount());
    recallableLater_.grow(slaveCount());
    for (auto& [number, kind] : kinds_) {
        kind.measured.grow(slaveCount());
        kind.unmeasured.grow(slaveCount());
    }
    for (std::size_t slave = firstNew; slave < slaves_.size(); ++slave) noteChanged(slaves_[slave]);
}

std::optional<int> Schedule::dismissIdle(const std::function<bool(int)>& mayLeave) {
    const auto last = std::find_if(slaves_.rbegin(), slaves_.rend(), [&](const SlaveLoad& slave) {
        return !slave.isGone && mayLeave(static_cast<int>(&slave - slaves_.data())) && slave.held.isEmpty() && slave.width == 1 &&
               !slave.isSubMaster;
    });
    if (last == slaves_.rend()) return std::nullopt;
    leave(*last);
    return static_cast<int>(&*last - slaves_.data());
}

std::optional<Schedule::Assignment> Schedule::recall(TimePoint now) {
    if (!queue_.isEmpty()) return std::nullopt;
    rankChanged();
    if (!idle_.first()) return std::nullopt;
    for (auto slave = recallableLater_.first(); slave && recallableLater_.keyOf(*slave) <= now; slave = recallableLater_.first()) {
        recallableLater_.clear(*slave);
        recallable_.set(*slave, -slaveAt(*slave).expected);
    }
    const std::optional<int> worst = recallable_.first();
    if (!worst) return std::nullopt;
    SlaveLoad& slave = slaveAt(*worst);
    Assignment back{*worst, {}};
    const std::size_t notBegun = slave.held.taskCount() + 1 - widthOf(slave);
    for (const HeldCalls::Held& held : slave.held.last(notBegun / 2)) back.calls.push_back(held.entry.call);
    slave.isRecalled = true;
    noteChanged(slave);
    return back;
}

Schedule::TimePoint Schedule::nextRecall() {
    if (!queue_.isEmpty()) return TimePoint::max();
    rankChanged();
    if (!idle_.first()) return TimePoint::max();
    if (recallable_.first()) return TimePoint::min();
    const std::optional<int> next = recallableLater_.first();
    return next ? recallableLater_.keyOf(*next) : TimePoint::max();
}

void Schedule::recallAnswered(int slave, TimePoint now) {
    SlaveLoad& load = slaveAt(slave);
    load.isRecalled = false;
    load.askAfter = now + settings_.patience;
    noteChanged(load);
}

/// Marks the slave for a new ranking. Ranking is delayed, since a slave may change many times before the next query.
void Schedule::noteChanged(SlaveLoad& slave) {
    if (std::exchange(slave.isUnranked, true)) return;
    unranked_.push_back(static_cast<int>(&slave - slaves_.data()));
}

void Schedule::rankChanged() {
    for (const int slave : unranked_) rank(slave);
    unranked_.clear();
}

void Schedule::rank(int slave) {
    SlaveLoad& load = slaveAt(slave);
    load.isUnranked = false;
    const bool isIdle = !load.isGone && load.held.taskCount() < widthOf(load);
    idle_.assign(slave, isIdle ? std::optional(1000 * load.held.taskCount() / widthOf(load)) : std::nullopt);
    rankForRoom(slave);
    rankForRecall(slave);
}

void Schedule::rankForRoom(int slave) {
    const SlaveLoad& load = slaveAt(slave);
    const bool hasRoom = !load.held.isEmpty() && !load.isRecalled && load.width > 0 && !isFull(load);
    for (auto& [kind, ranked] : kinds_) {
        const DurationEstimate* const own = load.estimates.find(kind);
        const bool isMeasured = own != nullptr;
        const bool isShort = isMeasured && own->expected() <= settings_.longestAhead;
        const std::optional place(
            std::pair(load.expected / std::max(load.width, 1), load.held.taskCount() / std::max<std::size_t>(widthOf(load), 1)));
        ranked.measured.assign(slave, hasRoom && isShort ? place : std::nullopt);
        ranked.unmeasured.assign(slave, hasRoom && !isMeasured ? place : std::nullopt);
    }
}

/// The expected time of the calls that the slave, or its group, cannot have begun.
Schedule::Duration Schedule::notBegunTime(const SlaveLoad& slave) {
    if (slave.held.taskCount() <= widthOf(slave)) return Duration(0);
    if (slave.width == 1) return slave.expected - slave.held.first().expected;
    const auto count = static_cast<std::int64_t>(slave.held.taskCount());
    return slave.expected / count * (count - slave.width);
}

/// Ranks a slave for recalls. A slave works on one of its calls, so only the others can come back. Little work is recalled only after a
/// silence.
void Schedule::rankForRecall(int slave) {
    const SlaveLoad& load = slaveAt(slave);
    const bool isRecallable = load.width > 0 && load.held.taskCount() > widthOf(load) && !load.isRecalled;
    const bool isMuch = isRecallable && notBegunTime(load) >= batchTime_;
    const TimePoint after = isMuch ? load.askAfter : std::max(load.lastHeard + settings_.patience, load.askAfter);
    recallable_.clear(slave);
    recallableLater_.assign(slave, isRecallable ? std::optional(after) : std::nullopt);
}

}    // namespace ferry::detail
