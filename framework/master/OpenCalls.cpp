#include <ferry/framework/master/OpenCalls.hpp>

#include <algorithm>

namespace ferry::detail {

std::shared_ptr<Call> OpenCalls::make() {
    auto call = std::make_shared<Call>();
    do {    // call numbers are never 0: newCall has that value
        haveAllBeenUsed_ = haveAllBeenUsed_ || lastNumber_ >= 0x7fffffffu;
        lastNumber_ = lastNumber_ >= 0x7fffffffu ? 1 : lastNumber_ + 1;
    } while (haveAllBeenUsed_ && calls_.contains(static_cast<std::int32_t>(lastNumber_)));
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
