#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <ferry/device/failure/KernelFailure.hpp>
#include <ferry/device/runtime/Runtime.hpp>

namespace ferry::detail {

/// The launches since the last wait, so that a failure names its launch without a wait behind each launch.
///
/// Behind each launch, the device writes the number of failed assertions so far into the mark of the launch. A launch whose mark is not
/// written has not ended: after a fault, the first one of them is the launch that failed.
class LaunchLog {
public:
    static constexpr std::size_t Kept = 1024;
    static constexpr std::uint32_t NotEnded = ~std::uint32_t{0};

    /// marks: Kept numbers that the device writes. Borrowed.
    explicit LaunchLog(volatile std::uint32_t* marks) noexcept : marks_(marks) {}

    bool isEmpty() const noexcept { return count_ == 0; }
    /// When full, wait for the launches and clear().
    bool isFull() const noexcept { return count_ == Kept; }
    void clear() noexcept { count_ = 0; }

    /// Notes a launch, and returns the index of its mark. The log is not full.
    std::size_t note(QueueNumber queue, const LaunchPlace& launch) noexcept;
    /// The last launch was none.
    void takeBack() noexcept { --count_; }

    /// The launch that a fault has stopped; none when all noted ones have ended. With several queues, one of those that it may be.
    std::optional<LaunchPlace> firstNotEnded() const noexcept;
    /// The launch with the first failed assertion. None where several queues had launches, so that it is not known.
    std::optional<LaunchPlace> firstFailed(std::uint32_t failuresBefore) const noexcept;

private:
    struct Launch {
        QueueNumber queue = QueueNumber::First;
        LaunchPlace place;
    };

    volatile std::uint32_t* marks_;
    std::size_t count_ = 0;
    std::array<Launch, Kept> launches_;
};

}    // namespace ferry::detail
