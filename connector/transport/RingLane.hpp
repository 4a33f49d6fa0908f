#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <ferry/connector/transport/RingMemory.hpp>

namespace ferry::detail {

/// The place in a lane of a ring where the next packet begins, as one end of the ring counts it.
///
/// Ownership: borrows the lines.
class RingLane {
public:
    explicit RingLane(std::span<RingMemory::Line> lines) noexcept : lines_(lines) {}

    std::uint32_t lineCount() const noexcept { return static_cast<std::uint32_t>(lines_.size()); }
    /// The number of lines before the place, counted on and on.
    std::uint32_t passed() const noexcept { return passed_; }

    /// The head of the next packet. Both processes use it, so each access is atomic.
    std::atomic_ref<std::uint64_t> head() const noexcept { return std::atomic_ref(lines_[place_].head); }

    void write(std::span<const std::int32_t> ints) const noexcept {
        const std::size_t before = std::min(ints.size_bytes(), bytesToEnd());
        copy(bytes() + firstByte(), ints.data(), before);
        copy(bytes(), ints.data() + before / sizeof(std::int32_t), ints.size_bytes() - before);
    }
    void read(std::span<std::int32_t> ints) const noexcept {
        const std::size_t before = std::min(ints.size_bytes(), bytesToEnd());
        copy(ints.data(), bytes() + firstByte(), before);
        copy(ints.data() + before / sizeof(std::int32_t), bytes(), ints.size_bytes() - before);
    }

    void advance(std::uint32_t lineCount) noexcept {
        passed_ += lineCount;
        place_ += lineCount;
        if (place_ >= lines_.size()) place_ -= lines_.size();
    }

    /// Asks the processor for these lines behind the head of the next packet, which this process is going to write.
    void prepareToWrite(std::uint32_t lineCount) const noexcept {
#if defined(__x86_64__)
        std::size_t place = place_;
        for (std::uint32_t line = 0; line < lineCount; ++line) {
            if (++place == lines_.size()) place = 0;
            asm volatile("prefetchw %0" : : "m"(lines_[place]));    // does nothing where the processor does not know it
        }
#else
        static_cast<void>(lineCount);
#endif
    }

private:
    std::byte* bytes() const noexcept { return reinterpret_cast<std::byte*>(lines_.data()); }
    std::size_t firstByte() const noexcept { return place_ * RingMemory::lineBytes + sizeof(RingMemory::Line::head); }
    std::size_t bytesToEnd() const noexcept { return lines_.size_bytes() - firstByte(); }
    static void copy(void* target, const void* source, std::size_t byteCount) noexcept {
        if (byteCount != 0) std::memcpy(target, source, byteCount);
    }

    std::span<RingMemory::Line> lines_;
    std::size_t place_ = 0;
    std::uint32_t passed_ = 0;
};

}    // namespace ferry::detail
