#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <ferry/serialization/IntBuffer.hpp>

namespace ferry {

/// Keeps emptied buffers for the next message, so that a steady exchange allocates nothing.
///
/// Ownership: owns the buffers given back to it; at most a few, and none larger than 64 KiB.
/// Threads: one thread at a time.
class BufferPool {
public:
    /// An empty buffer, with capacity where one was kept.
    IntBuffer take() {
        if (buffers_.empty()) return IntBuffer();
        IntBuffer buffer = std::move(buffers_.back());
        buffers_.pop_back();
        return buffer;
    }

    /// Takes the buffer back; its contents are dropped.
    void giveBack(IntBuffer&& buffer) {
        if (buffers_.size() >= maxKeptBuffers || buffer.capacity() > maxKeptInts || buffer.capacity() == 0) return;
        buffer.clear();
        buffers_.push_back(std::move(buffer));
    }

private:
    static constexpr std::size_t maxKeptBuffers = 32;
    static constexpr std::size_t maxKeptInts = 16 * 1024;

    std::vector<IntBuffer> buffers_;
};

}    // namespace ferry
