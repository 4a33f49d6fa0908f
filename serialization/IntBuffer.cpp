#include <ferry/serialization/IntBuffer.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace ferry {

IntBuffer::IntBuffer(std::span<const std::int32_t> ints) { append(ints); }

IntBuffer::IntBuffer(IntBuffer&& other) noexcept
    : data_(std::move(other.data_)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

IntBuffer& IntBuffer::operator=(const IntBuffer& other) {
    if (this != &other) {
        clear();
        append(other.ints());
    }
    return *this;
}

IntBuffer& IntBuffer::operator=(IntBuffer&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
}

void IntBuffer::reserve(std::size_t capacityInts) {
    if (capacityInts <= capacity_) return;
    if (capacityInts > std::numeric_limits<std::size_t>::max() / sizeof(std::int32_t)) throw std::bad_alloc();
    // realloc keeps the ints and can move big blocks without copying them.
    void* grown = std::realloc(data_.get(), capacityInts * sizeof(std::int32_t));
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(data_.release());
    data_.reset(static_cast<std::int32_t*>(grown));
    capacity_ = capacityInts;
}

void IntBuffer::append(std::span<const std::int32_t> ints) {
    if (ints.empty()) return;
    const std::size_t oldSize = size_;
    if (ints.size() > capacity_ - size_) reserve(std::max(size_ + ints.size(), capacity_ + capacity_ / 2));
    std::memcpy(data_.get() + oldSize, ints.data(), ints.size_bytes());
    size_ = oldSize + ints.size();
}

bool operator==(const IntBuffer& left, const IntBuffer& right) noexcept {
    return left.size_ == right.size_ && std::equal(left.data(), left.data() + left.size_, right.data());
}

}    // namespace ferry
