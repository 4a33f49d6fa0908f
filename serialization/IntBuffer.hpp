#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace ferry {

/// A growable sequence of 32-bit ints: what objects become, and what travels.
///
/// Ownership: owns its ints. Copies are deep; moving leaves the source empty.
/// Threads: one at a time.
/// Errors: std::bad_alloc when memory runs out; the buffer is then unchanged.
class IntBuffer {
public:
    IntBuffer() noexcept = default;
    explicit IntBuffer(std::span<const std::int32_t> ints);
    IntBuffer(const IntBuffer& other) : IntBuffer(other.ints()) {}
    IntBuffer(IntBuffer&& other) noexcept;
    IntBuffer& operator=(const IntBuffer& other);
    IntBuffer& operator=(IntBuffer&& other) noexcept;
    ~IntBuffer() = default;

    /// Number of ints held.
    std::size_t size() const noexcept { return size_; }
    bool isEmpty() const noexcept { return size_ == 0; }
    /// Number of ints that fit without another allocation.
    std::size_t capacity() const noexcept { return capacity_; }

    std::int32_t* data() noexcept { return data_.get(); }
    const std::int32_t* data() const noexcept { return data_.get(); }
    std::span<const std::int32_t> ints() const noexcept { return {data_.get(), size_}; }

    /// Forgets the ints and keeps the memory for the next use.
    void clear() noexcept { size_ = 0; }
    /// Makes room for this many ints in all. Never shrinks.
    void reserve(std::size_t capacityInts);
    /// Sets the number of ints. What lay there before stays; new ints hold anything until they are written.
    void resizeUninitialized(std::size_t sizeInts) {
        if (sizeInts > capacity_) reserve(sizeInts);
        size_ = sizeInts;
    }
    void append(std::span<const std::int32_t> ints);

    friend bool operator==(const IntBuffer& left, const IntBuffer& right) noexcept;

private:
    struct Free {
        void operator()(std::int32_t* ints) const noexcept { std::free(ints); }
    };

    std::unique_ptr<std::int32_t[], Free> data_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}    // namespace ferry
