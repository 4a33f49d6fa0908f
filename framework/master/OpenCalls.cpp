#include <ferry/framework/master/OpenCalls.hpp>

#include <algorithm>

namespace ferry::detail {

namespace {

constexpr std::uint32_t lastOfAll = 0x7fffffffu;
constexpr std::uint32_t blockOfBundle = OpenCalls::mostInBundle + 1;    // a bundle has the first number of a block, its tasks the others

}    // namespace

bool OpenCalls::isOpen(std::uint32_t number) const noexcept {
    if (calls_.contains(static_cast<std::int32_t>(number))) return true;
    const auto first = calls_.find(static_cast<std::int32_t>(number - number % blockOfBundle));
    return first != calls_.end() && first->second->bundle;
}

std::shared_ptr<Call> OpenCalls::make() {
    auto call = std::make_shared<Call>();
    do {    // call numbers are never 0: newCall has that value
        haveAllBeenUsed_ = haveAllBeenUsed_ || lastNumber_ >= lastOfAll;
        lastNumber_ = lastNumber_ >= lastOfAll ? 1 : lastNumber_ + 1;
    } while (haveAllBeenUsed_ && isOpen(lastNumber_));
    call->number = static_cast<std::int32_t>(lastNumber_);
    return call;
}

std::shared_ptr<Call> OpenCalls::makeForBundle() {
    auto call = std::make_shared<Call>();
    const auto isFree = [this](std::uint32_t first) {
        for (std::uint32_t number = first; number != first + blockOfBundle; ++number) {
            if (isOpen(number)) return false;
        }
        return true;
    };
    std::uint32_t first = lastNumber_;
    do {
        haveAllBeenUsed_ = haveAllBeenUsed_ || first > lastOfAll - 2 * blockOfBundle;
        first = first > lastOfAll - 2 * blockOfBundle ? blockOfBundle : (first / blockOfBundle + 1) * blockOfBundle;
    } while (haveAllBeenUsed_ && !isFree(first));
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
