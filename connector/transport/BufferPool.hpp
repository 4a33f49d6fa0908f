#pragma once

#include <cstddef>
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
    IntBuffer take();

    /// Takes the buffer back; its contents are dropped.
    void giveBack(IntBuffer buffer);

private:
    std::vector<IntBuffer> buffers_;
};

}    // namespace ferry
