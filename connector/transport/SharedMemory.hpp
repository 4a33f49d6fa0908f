#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace ferry {

/// Memory that processes of one host share, zero at first, mapped by each of them.
///
/// Ownership: the mapping; the memory goes with the last one. The name exists until it is removed. Errors: none are thrown: isMapped().
class SharedMemory {
public:
    SharedMemory() = default;
    /// Makes it under a new name; the memory is reserved, so that no later access can fail.
    static SharedMemory create(const std::string& name, std::size_t bytes) noexcept;
    static SharedMemory open(const std::string& name, std::size_t bytes) noexcept;
    /// Those who have mapped it keep it.
    static void remove(const std::string& name) noexcept;

    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&& other) noexcept;
    ~SharedMemory();

    bool isMapped() const noexcept { return data_ != nullptr; }
    std::span<std::byte> bytes() const noexcept { return {data_, byteCount_}; }

private:
    static SharedMemory map(int file, std::size_t bytes) noexcept;

    std::byte* data_ = nullptr;
    std::size_t byteCount_ = 0;
};

}    // namespace ferry
