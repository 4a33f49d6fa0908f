#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ferry::detail {

/// Memory that processes of one host share, zero at first, mapped by each of them.
///
/// The memory has no name that could stay behind when a process is killed. Other processes open it by way of the process that has made it,
/// as long as that process keeps it. The memory cannot be shared between users, nor between containers that do not see each other's
/// processes.
///
/// Ownership: owns the mapping. The memory ends with its last mapping. Errors: no exception is thrown; isMapped() tells.
class SharedMemory {
public:
    /// The address at which other processes find the memory on its host. All zero: no address.
    struct Address {
        std::int64_t process = 0;
        std::int64_t file = 0;
        std::array<std::uint64_t, 2> key{};    ///< random: two containers may have a process of the same number
        auto operator<=>(const Address&) const = default;
    };

    SharedMemory() = default;
    /// Creates memory and reserves it, so that no later access can fail.
    static SharedMemory create(std::size_t bytes) noexcept;
    /// Opens the memory at the address. The result is not mapped when the memory is not there or has another size.
    static SharedMemory open(const Address& address, std::size_t bytes) noexcept;

    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&& other) noexcept;
    ~SharedMemory();

    bool isMapped() const noexcept { return data_ != nullptr; }
    std::span<std::byte> bytes() const noexcept { return {data_, byteCount_}; }
    /// The address of memory that this process has made.
    const Address& address() const noexcept { return address_; }

    /// From now on no other process can open the memory. Processes that have opened it keep it.
    void close() noexcept;

private:
    void map(int file, std::size_t bytes) noexcept;

    std::byte* data_ = nullptr;
    std::size_t byteCount_ = 0;
    Address address_;    // with the file that stays open for others
};

}    // namespace ferry::detail
