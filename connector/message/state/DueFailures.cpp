#include <ferry/connector/message/state/DueFailures.hpp>

#include <ferry/connector/message/state/Regions.hpp>

namespace ferry::detail {

void DueFailures::throwSoon(std::exception_ptr exception) { throwSoon(std::move(exception), surroundings_.innermostRegion()); }

void DueFailures::throwSoon(std::exception_ptr exception, std::int32_t region) {
    add({std::move(exception), region, surroundings_.regionsAround()});
}

void DueFailures::stop(std::exception_ptr reason) { stop(std::move(reason), surroundings_.regionsAround()); }

void DueFailures::stop(std::exception_ptr reason, std::vector<std::int32_t> regionsAround) {
    if (stopReason_) return;
    stopReason_ = std::move(reason);
    stoppedIn_ = std::move(regionsAround);
}

bool DueFailures::isStopped() const noexcept {
    if (stopReason_) return true;
    const DueFailures* const around = surroundings_.dueAround();
    return around != nullptr && around->isStopped();
}

bool DueFailures::isSummoned() const noexcept {
    if (summons_) return true;
    const DueFailures* const around = surroundings_.dueAround();
    return around != nullptr && around->isSummoned();
}

std::exception_ptr DueFailures::takeNext(std::int32_t lastRegion) {
    if (areHeld_) return nullptr;
    // An exception that was thrown inside of a region waits until this rank is in that region too.
    const auto due = std::find_if(failures_.begin(), failures_.end(), [lastRegion](const Due& failure) {
        return failure.region == 0 || !comesBefore(lastRegion, failure.region);
    });
    if (due == failures_.end()) return nullptr;
    std::exception_ptr failure = std::move(due->exception);
    failures_.erase(due);
    return failure;
}

}    // namespace ferry::detail
