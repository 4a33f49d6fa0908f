#include <ferry/framework/master/JobEvents.hpp>

#include <ferry/framework/monitor/JobMonitor.hpp>
#include <ferry/framework/monitor/TraceCollection.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/framework/schedule/slaveNumbers.hpp>

namespace ferry::detail {

JobEvents::JobEvents(Connector& connector, JobMonitor* monitor) : connector_(connector), monitor_(monitor) {
    if (monitor_ != nullptr) recordTimers(connector_.timers(), monitor_->trace());
}

JobEvents::~JobEvents() { connector_.timers().recordTo({}); }

void JobEvents::announced(std::ptrdiff_t count) noexcept {
    if (monitor_ != nullptr) monitor_->statistics().announced(count);
}

void JobEvents::added() noexcept {
    if (monitor_ != nullptr) monitor_->statistics().added();
}

void JobEvents::sent(int rank, std::span<const std::int32_t> calls, std::size_t ints) {
    if (monitor_ != nullptr) ifMemory([&] { monitor_->sent(slaveOfRank(rank), calls, ints, connector_.now()); });
}

void JobEvents::received(int rank, std::size_t ints) {
    if (monitor_ != nullptr) monitor_->statistics().received(slaveOfRank(rank), ints);
}

void JobEvents::answered(int rank, std::int32_t call, std::chrono::nanoseconds taken, bool isFailure, TimePoint now) {
    if (monitor_ != nullptr) ifMemory([&] { monitor_->answered(slaveOfRank(rank), call, taken, isFailure, now); });
}

void JobEvents::givenBack(int rank) {
    if (monitor_ != nullptr) monitor_->statistics().givenBack(slaveOfRank(rank));
}

void JobEvents::retried(int rank) {
    if (monitor_ != nullptr) monitor_->statistics().retried(slaveOfRank(rank));
}

void JobEvents::ended(bool isFailure) noexcept {
    if (monitor_ != nullptr) monitor_->statistics().ended(isFailure);
}

void JobEvents::endedByJournal() noexcept {
    if (monitor_ == nullptr) return;
    monitor_->statistics().ended(false);
    monitor_->statistics().foundInJournal();
}

void JobEvents::grouped(int subMaster, int slaveCount) {
    if (monitor_ != nullptr) monitor_->statistics().grouped(slaveOfRank(subMaster), slaveCount);
}

void JobEvents::joined(int count) {
    if (monitor_ != nullptr) monitor_->statistics().joined(count, connector_.now());
}

void JobEvents::leaving(int rank) {
    if (monitor_ == nullptr) return;
    monitor_->collectTraceOf(connector_, rank);
    monitor_->statistics().dismissed(slaveOfRank(rank), connector_.now());
}

void JobEvents::lost(int rank, const std::string& reason, std::size_t count) {
    if (monitor_ != nullptr) monitor_->statistics().lost(slaveOfRank(rank), reason, count, connector_.now());
}

void JobEvents::orphaned(int rank, std::size_t count) {
    if (monitor_ != nullptr) monitor_->statistics().orphaned(slaveOfRank(rank), count);
}

void JobEvents::waited(TimePoint begin, TimePoint end) {
    if (monitor_ != nullptr && monitor_->trace().isOn())
        ifMemory([&] { monitor_->trace().add({TraceEvent::Kind::Wait, 0, 0, begin, end}); });
}

void JobEvents::show(TimePoint now) {
    if (monitor_ != nullptr) monitor_->show(now);
}

JobEvents::TimePoint JobEvents::nextShow() const noexcept { return monitor_ != nullptr ? monitor_->nextShow() : TimePoint::max(); }

}    // namespace ferry::detail
