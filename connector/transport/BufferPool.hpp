#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// Keeps emptied buffers for the next message, so that a steady exchange allocates nothing.
///
/// Ownership: owns the buffers given back to it; at most a few, and none larger than 64 KiB.
/// Threads: one thread at a time.
class BufferPool {
public:
    /// Returns an empty buffer, with capacity when a used buffer was kept.
    IntBuffer take() noexcept { return count_ == 0 ? IntBuffer() : std::move(buffers_[--count_]); }

    /// Takes the buffer back; its contents are dropped.
    void giveBack(IntBuffer&& buffer) noexcept {
        if (count_ >= maxKeptBuffers || buffer.capacity() > maxKeptInts || buffer.capacity() == 0) return;
        buffer.clear();
        buffers_[count_++] = std::move(buffer);
    }

private:
    static constexpr std::size_t maxKeptBuffers = 32;
    static constexpr std::size_t maxKeptInts = 16 * 1024;

    std::array<IntBuffer, maxKeptBuffers> buffers_;    // the kept buffers are the first count_ of them
    std::size_t count_ = 0;
};

}    // namespace ferry::detail
