#pragma once

#include <compare>
#include <cstddef>
#include <cstring>
#include <iterator>

namespace ferry::detail {

/// Goes over values of trivially copyable T that lie packed and unaligned in memory, loading each.
template <class T>
class LoadIterator {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = T;

    LoadIterator() = default;
    explicit LoadIterator(const void* source) noexcept : source_(static_cast<const unsigned char*>(source)) {}

    T operator*() const noexcept {
        T value;
        std::memcpy(&value, source_, sizeof(T));
        return value;
    }
    T operator[](difference_type offset) const noexcept { return *(*this + offset); }

    LoadIterator& operator+=(difference_type offset) noexcept {
        source_ += offset * static_cast<difference_type>(sizeof(T));
        return *this;
    }
    LoadIterator& operator-=(difference_type offset) noexcept { return *this += -offset; }
    LoadIterator& operator++() noexcept { return *this += 1; }
    LoadIterator& operator--() noexcept { return *this += -1; }
    LoadIterator operator++(int) noexcept {
        LoadIterator old = *this;
        *this += 1;
        return old;
    }
    LoadIterator operator--(int) noexcept {
        LoadIterator old = *this;
        *this += -1;
        return old;
    }
    friend LoadIterator operator+(LoadIterator position, difference_type offset) noexcept { return position += offset; }
    friend LoadIterator operator+(difference_type offset, LoadIterator position) noexcept { return position += offset; }
    friend LoadIterator operator-(LoadIterator position, difference_type offset) noexcept { return position -= offset; }
    friend difference_type operator-(LoadIterator left, LoadIterator right) noexcept {
        return (left.source_ - right.source_) / static_cast<difference_type>(sizeof(T));
    }
    friend bool operator==(LoadIterator, LoadIterator) = default;
    friend auto operator<=>(LoadIterator, LoadIterator) = default;

private:
    const unsigned char* source_ = nullptr;
};

}  // namespace ferry::detail
