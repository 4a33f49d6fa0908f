#pragma once

#include <utility>

#include <unistd.h>

namespace ferry::detail {

/// Owns an open file of the operating system.
class FileDescriptor {
public:
    FileDescriptor() noexcept = default;
    /// Takes over an open file. -1: no file.
    explicit FileDescriptor(int number) noexcept : number_(number) {}
    FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~FileDescriptor() {
        if (isOpen()) ::close(number_);
    }

    bool isOpen() const noexcept { return number_ >= 0; }
    int number() const noexcept { return number_; }

private:
    int number_ = -1;
};

}    // namespace ferry::detail
