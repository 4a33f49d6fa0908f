#include <ferry/framework/master/OpenCalls.hpp>

#include <algorithm>

namespace ferry::detail {

std::shared_ptr<Call> OpenCalls::make() {
    auto call = std::make_shared<Call>();
    // Call numbers are never 0: newCall has that value.
    lastNumber_ = lastNumber_ == 0x7fffffffu ? 1 : lastNumber_ + 1;
    call->number = static_cast<std::int32_t>(lastNumber_);
    return call;
}

std::shared_ptr<Call> OpenCalls::makeForBundle() {
    constexpr std::uint32_t block = mostInBundle + 1;
    auto call = std::make_shared<Call>();
    const std::uint32_t next = (lastNumber_ / block + 1) * block;
    const std::uint32_t first = next > 0x7fffffffu - mostInBundle ? block : next;
    call->number = static_cast<std::int32_t>(first);
    lastNumber_ = first + mostInBundle;
    return call;
}

void OpenCalls::add(const std::shared_ptr<Call>& call) {
    calls_.emplace(call->number, call);
    if (call->bundle) ++bundleCount_;
    if (call->deadline == TimePoint::max()) return;
    try {
        deadlines_.add(call->deadline, call->number);
    } catch (...) {
        calls_.erase(call->number);
        throw;
    }
}

std::vector<std::shared_ptr<Call>> OpenCalls::withoutSlave() const {
    std::vector<std::shared_ptr<Call>> found;
    for (const auto& [number, call] : calls_) {
        if (call->place != Call::Place::AtSlave) found.push_back(call);
    }
    std::sort(found.begin(), found.end(), [](const auto& left, const auto& right) { return left->number < right->number; });
    return found;
}

void OpenCalls::rest(Call& call, TimePoint nextTry) {
    retries_.add(nextTry, call.number);
    call.nextTry = nextTry;
    call.place = Call::Place::Resting;
}

}    // namespace ferry::detail
