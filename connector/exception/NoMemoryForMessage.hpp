#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace ferry {

/// The receiver has no memory for a message. The message was received and dropped, so that its sender goes on. The call that waits for the
/// message throws this exception. On another rank it arrives as a std::bad_alloc with this text.
class NoMemoryForMessage : public std::bad_alloc {
public:
    /// Allocates no memory.
    NoMemoryForMessage(int from, std::size_t bytes) noexcept;

    /// The rank of the sender.
    int from() const noexcept { return from_; }
    std::size_t bytes() const noexcept { return bytes_; }
    const char* what() const noexcept override { return text_.data(); }

private:
    int from_;
    std::size_t bytes_;
    std::array<char, 120> text_{};
};

}    // namespace ferry
