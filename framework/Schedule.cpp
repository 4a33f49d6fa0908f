#include <ferry/framework/Schedule.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

Schedule::Schedule(int slaveCount, const ScheduleSettings& settings)
    : settings_(settings),
      slaves_(static_cast<std::size_t>(std::max(slaveCount, 0))) {}

const Schedule::SlaveLoad& Schedule::slaveAt(int slave) const {
    if (slave < 0 || slave >= slaveCount()) throw UsageError(fmt::format("slave {} of {}", slave, slaveCount()));
    return slaves_[static_cast<std::size_t>(slave)];
}

Schedule::SlaveLoad& Schedule::slaveAt(int slave) { return const_cast<SlaveLoad&>(std::as_const(*this).slaveAt(slave)); }

std::vector<std::int32_t> Schedule::callsAt(int slave) const {
    std::vector<std::int32_t> calls;
    for (const Held& held : slaveAt(slave).held) calls.push_back(held.entry.call);
    return calls;
}

std::optional<Schedule::Duration> Schedule::expectedTime(const SlaveLoad& slave, std::int32_t kind) const {
    const auto own = slave.estimates.find(kind);
    if (own != slave.estimates.end()) return own->second.expected();
    const auto ofAll = estimates_.find(kind);
    return ofAll != estimates_.end() ? ofAll->second.expected() : std::nullopt;
}

bool Schedule::hasRoom(const SlaveLoad& slave, const CallFacts& facts, TimePoint now) const {
    if (slave.isLost) return false;
    if (slave.held.empty()) return true;
    if (facts.isSuspect) return false;
    const bool isLate = now - slave.lastHeard > 2 * slave.expected + settings_.patience;
    const bool isFull = slave.held.size() >= 2 && slave.expected >= settings_.batchTime;
    if (slave.isRecalled || isLate || isFull) return false;
    const std::optional<Duration> expected = expectedTime(slave, facts.kind);
    return expected && *expected <= settings_.longestAhead;
}

/// How many such calls make a full batch.
std::size_t Schedule::capacity(std::optional<Duration> expected, const CallFacts& facts) const {
    if (!expected) return 1;
    const auto byTime = static_cast<std::size_t>(settings_.batchTime / std::max(*expected, Duration(1)));
    const std::size_t byInts = settings_.maxBatchInts / std::max<std::size_t>(facts.ints, 1);
    return std::max<std::size_t>(std::min({byTime, byInts, settings_.maxBatchCount}), 1);
}

std::size_t Schedule::wantedCount(const CallFacts& facts) const {
    constexpr std::size_t batchesPerSlave = 4;    // two at the slave, one that waits for it, one whose replies are on their way
    const auto ofAll = estimates_.find(facts.kind);
    return static_cast<std::size_t>(liveCount()) * batchesPerSlave *
           capacity(ofAll != estimates_.end() ? ofAll->second.expected() : std::nullopt, facts);
}

/// The slave with the least work that has room; null: none.
Schedule::SlaveLoad* Schedule::chooseSlave(const CallFacts& facts, TimePoint now) {
    SlaveLoad* best = nullptr;
    const auto load = [](const SlaveLoad& slave) { return std::pair(slave.expected, slave.held.size()); };
    for (std::size_t i = 0; i < slaves_.size(); ++i) {
        if (static_cast<int>(i) == facts.avoided || !hasRoom(slaves_[i], facts, now)) continue;
        if (best == nullptr || load(slaves_[i]) < load(*best)) best = &slaves_[i];
    }
    if (best != nullptr || facts.avoided == CallFacts::noSlave) return best;
    SlaveLoad& avoided = slaveAt(facts.avoided);
    return !avoided.isLost && avoided.held.empty() ? &avoided : nullptr;
}

std::optional<Schedule::Assignment> Schedule::next(Supply supply, TimePoint now) {
    if (queue_.isEmpty()) return std::nullopt;
    const CallFacts facts = queue_.first().facts;
    SlaveLoad* slave = chooseSlave(facts, now);
    if (slave == nullptr) return std::nullopt;
    std::size_t maxCount = settings_.maxBatchCount;
    if (supply == Supply::MoreComing) {
        if (!slave->held.empty() && queue_.count() < capacity(expectedTime(*slave, facts.kind), facts)) return std::nullopt;
    } else {
        const auto live = static_cast<std::size_t>(liveCount());
        maxCount = std::min(maxCount, (queue_.count() + live - 1) / live);    // the last ones are shared out
    }
    if (slave->held.empty()) slave->lastHeard = now;
    return assign(*slave, maxCount);
}

Schedule::Assignment Schedule::assign(SlaveLoad& slave, std::size_t maxCount) {
    Assignment batch{static_cast<int>(&slave - slaves_.data()), {}};
    Duration time{0};
    std::size_t ints = 0;
    ++batchCount_;
    while (!queue_.isEmpty()) {
        const CallFacts& facts = queue_.first().facts;
        const std::optional<Duration> expected = expectedTime(slave, facts.kind);
        time += expected.value_or(Duration(0));
        ints += facts.ints;
        const bool isFull = batch.calls.size() >= maxCount || time > settings_.batchTime || ints > settings_.maxBatchInts;
        const bool isSuspect = facts.isSuspect;
        if (!batch.calls.empty() && (isFull || !expected || isSuspect || facts.avoided != CallFacts::noSlave)) break;
        slave.held.push_back({queue_.takeFirst(), expected.value_or(Duration(0)), batchCount_});
        slave.expected += slave.held.back().expected;
        batch.calls.push_back(slave.held.back().entry.call);
        if (!expected || isSuspect) break;
    }
    return batch;
}

Schedule::Held Schedule::takeFrom(SlaveLoad& slave, std::int32_t call) {
    const auto held = std::find_if(slave.held.begin(), slave.held.end(), [call](const Held& one) { return one.entry.call == call; });
    if (held == slave.held.end()) throw UsageError(fmt::format("call {} is not at slave {}", call, &slave - slaves_.data()));
    Held taken = *held;
    slave.held.erase(held);
    slave.expected -= taken.expected;
    return taken;
}

void Schedule::finished(int slave, std::int32_t call, std::optional<Duration> taken, TimePoint now) {
    SlaveLoad& load = slaveAt(slave);
    const Held held = takeFrom(load, call);
    load.lastHeard = now;
    if (!taken) return;
    load.estimates[held.entry.facts.kind].add(*taken);
    estimates_[held.entry.facts.kind].add(*taken);
}

void Schedule::givenBack(int slave, std::int32_t call, TimePoint now) {
    SlaveLoad& load = slaveAt(slave);
    queue_.addFirst(takeFrom(load, call).entry);
    load.lastHeard = now;
}

std::vector<Schedule::Orphan> Schedule::lose(int slave) {
    SlaveLoad& load = slaveAt(slave);
    if (std::exchange(load.isLost, true)) return {};
    ++lostCount_;
    load.isRecalled = false;
    load.expected = Duration(0);
    std::deque<Held> held = std::exchange(load.held, {});
    std::vector<Orphan> orphans;
    // A reply waits for those of the calls that came with its own: any of these may be the one that the slave was at.
    for (const Held& one : held) orphans.push_back({one.entry.call, one.batch == held.front().batch});
    for (std::size_t i = held.size(); i-- > 0;) {
        held[i].entry.facts.isSuspect = held[i].entry.facts.isSuspect || orphans[i].mayHaveRun;
        queue_.addFirst(held[i].entry);
    }
    return orphans;
}

bool Schedule::hasIdleSlave() const {
    return std::any_of(slaves_.begin(), slaves_.end(), [](const SlaveLoad& slave) { return !slave.isLost && slave.held.empty(); });
}

/// It works on one of its calls, so that only the others can be had.
bool Schedule::mayBeRecalled(const SlaveLoad& slave) const { return slave.held.size() >= 2 && !slave.isRecalled; }

/// When it is worth while to ask.
Schedule::TimePoint Schedule::recallTime(const SlaveLoad& slave) const {
    const bool isMuch = slave.expected - slave.held.front().expected >= settings_.batchTime;
    return isMuch ? TimePoint::min() : slave.lastHeard + settings_.patience;
}

std::optional<Schedule::Assignment> Schedule::recall(TimePoint now) {
    if (!queue_.isEmpty() || !hasIdleSlave()) return std::nullopt;
    SlaveLoad* worst = nullptr;
    for (SlaveLoad& slave : slaves_) {
        if (!mayBeRecalled(slave) || recallTime(slave) > now) continue;
        if (worst == nullptr || slave.expected > worst->expected) worst = &slave;
    }
    if (worst == nullptr) return std::nullopt;
    worst->isRecalled = true;
    Assignment back{static_cast<int>(worst - slaves_.data()), {}};
    for (std::size_t i = worst->held.size() - worst->held.size() / 2; i < worst->held.size(); ++i)
        back.calls.push_back(worst->held[i].entry.call);
    return back;
}

Schedule::TimePoint Schedule::nextRecall() const {
    if (!queue_.isEmpty() || !hasIdleSlave()) return TimePoint::max();
    TimePoint next = TimePoint::max();
    for (const SlaveLoad& slave : slaves_) {
        if (mayBeRecalled(slave)) next = std::min(next, recallTime(slave));
    }
    return next;
}

}    // namespace ferry
