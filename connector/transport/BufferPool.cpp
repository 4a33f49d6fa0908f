#include <ferry/connector/transport/BufferPool.hpp>

#include <utility>

namespace ferry {

namespace {
constexpr std::size_t maxKeptBuffers = 32;
constexpr std::size_t maxKeptInts = 16 * 1024;
}    // namespace

IntBuffer BufferPool::take() {
    if (buffers_.empty()) return IntBuffer();
    IntBuffer buffer = std::move(buffers_.back());
    buffers_.pop_back();
    return buffer;
}

void BufferPool::giveBack(IntBuffer buffer) {
    if (buffers_.size() >= maxKeptBuffers || buffer.size() > maxKeptInts) return;
    buffer.clear();
    buffers_.push_back(std::move(buffer));
}

}    // namespace ferry
