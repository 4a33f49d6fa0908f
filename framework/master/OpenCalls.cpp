#include <ferry/framework/master/OpenCalls.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace ferry {

std::shared_ptr<Call> OpenCalls::make() {
    auto call = std::make_shared<Call>();
    // Call numbers are never 0: newCall has that value.
    lastNumber_ = lastNumber_ == 0x7fffffffu ? 1 : lastNumber_ + 1;
    call->number = static_cast<std::int32_t>(lastNumber_);
    return call;
}

void OpenCalls::add(const std::shared_ptr<Call>& call) {
    calls_.emplace(call->number, call);
    if (call->deadline == TimePoint::max()) return;
    try {
        deadlines_.add(call->deadline, call->number);
    } catch (...) {
        calls_.erase(call->number);
        throw;
    }
}

std::shared_ptr<Call> OpenCalls::remove(const Call& call) noexcept {
    if (call.deadline != TimePoint::max()) dropDeadline(call);
    if (call.place == Call::Place::Resting) wake(call);
    const auto entry = calls_.find(call.number);
    std::shared_ptr<Call> removed = std::move(entry->second);
    calls_.erase(entry);
    return removed;
}

std::shared_ptr<Call> OpenCalls::findAt(int rank, std::int32_t number) const noexcept {
    const auto entry = calls_.find(number);
    const bool isThere = entry != calls_.end() && entry->second->place == Call::Place::AtSlave && entry->second->slaveRank == rank;
    return isThere ? entry->second : nullptr;
}

std::vector<std::shared_ptr<Call>> OpenCalls::withoutSlave() const {
    std::vector<std::shared_ptr<Call>> found;
    for (const auto& [number, call] : calls_) {
        if (call->place != Call::Place::AtSlave) found.push_back(call);
    }
    std::sort(found.begin(), found.end(), [](const auto& left, const auto& right) { return left->number < right->number; });
    return found;
}

std::shared_ptr<Call> OpenCalls::overdue(TimePoint now) const {
    const std::optional<std::int32_t> number = deadlines_.due(now);
    return number ? at(*number) : nullptr;
}

void OpenCalls::rest(Call& call, TimePoint nextTry) {
    retries_.add(nextTry, call.number);
    call.nextTry = nextTry;
    call.place = Call::Place::Resting;
}

std::shared_ptr<Call> OpenCalls::rested(TimePoint now) const {
    const std::optional<std::int32_t> number = retries_.due(now);
    return number ? at(*number) : nullptr;
}

OpenCalls::TimePoint OpenCalls::nextDue() const noexcept { return std::min(deadlines_.next(), retries_.next()); }

}    // namespace ferry
