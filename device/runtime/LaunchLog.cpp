#include <ferry/device/runtime/LaunchLog.hpp>

#include <algorithm>

namespace ferry::detail {

std::size_t LaunchLog::note(QueueNumber queue, const LaunchPlace& launch) noexcept {
    marks_[count_] = NotEnded;
    launches_[count_] = {queue, launch};
    return count_++;
}

std::optional<LaunchPlace> LaunchLog::firstNotEnded() const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
        if (marks_[i] == NotEnded) return launches_[i].place;
    }
    return std::nullopt;
}

std::optional<LaunchPlace> LaunchLog::firstFailed(std::uint32_t failuresBefore) const noexcept {
    const auto* end = launches_.data() + count_;
    if (std::any_of(launches_.data(), end, [this](const Launch& launch) { return launch.queue != launches_.front().queue; }))
        return std::nullopt;
    for (std::size_t i = 0; i < count_; ++i) {
        if (marks_[i] != NotEnded && marks_[i] > failuresBefore) return launches_[i].place;
    }
    return std::nullopt;
}

}    // namespace ferry::detail
