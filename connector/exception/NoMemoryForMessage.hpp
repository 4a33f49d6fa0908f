#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace ferry {

/// A message for which the receiver has no memory: it was received and dropped, so that its sender goes on. Thrown by the call that the
/// message was for. On another rank it is a std::bad_alloc with this text.
class NoMemoryForMessage : public std::bad_alloc {
public:
    /// Asks for no memory.
    NoMemoryForMessage(int from, std::size_t bytes) noexcept;

    /// The sender's rank.
    int from() const noexcept { return from_; }
    std::size_t bytes() const noexcept { return bytes_; }
    const char* what() const noexcept override { return text_.data(); }

private:
    int from_;
    std::size_t bytes_;
    std::array<char, 120> text_{};
};

}    // namespace ferry
