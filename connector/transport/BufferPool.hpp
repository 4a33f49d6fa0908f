#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// Keeps emptied buffers for the next messages, so that a steady exchange allocates nothing.
///
/// Ownership: owns the buffers given back to it. Each has at most 64 KiB, and all together at most 2 MiB.
/// Threads: one thread at a time.
class BufferPool {
public:
    BufferPool() { buffers_.reserve(usualBuffers); }

    /// Returns an empty buffer, with capacity when a used buffer was kept.
    IntBuffer take() noexcept {
        if (buffers_.empty()) return IntBuffer();
        IntBuffer buffer = std::move(buffers_.back());
        buffers_.pop_back();
        keptInts_ -= buffer.capacity();
        return buffer;
    }

    /// Takes the buffer back; its contents are dropped.
    void giveBack(IntBuffer&& buffer) noexcept {
        const std::size_t ints = buffer.capacity();
        if (ints == 0 || ints > mostIntsOfOne || ints > mostInts - keptInts_ || buffers_.size() == mostBuffers) return;
        buffer.clear();
        try {
            buffers_.push_back(std::move(buffer));
            keptInts_ += ints;
        } catch (const std::bad_alloc&) {
            // The buffer is not kept.
        }
    }

private:
    static constexpr std::size_t usualBuffers = 32;
    static constexpr std::size_t mostBuffers = 1024;
    static constexpr std::size_t mostIntsOfOne = 16 * 1024;
    static constexpr std::size_t mostInts = 32 * mostIntsOfOne;

    std::vector<IntBuffer> buffers_;
    std::size_t keptInts_ = 0;
};

}    // namespace ferry::detail
