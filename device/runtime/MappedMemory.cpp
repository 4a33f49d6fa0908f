#include <ferry/device/runtime/MappedMemory.hpp>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

std::size_t pageBytes() noexcept {
    static const std::size_t bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return bytes;
}
std::size_t wholePages(std::size_t bytes) noexcept { return (bytes + pageBytes() - 1) / pageBytes() * pageBytes(); }

[[noreturn]] void failSystem(const char* action, int errorNumber) {
    throw DeviceError(DeviceProblem::NoDevice, "host", fmt::format("{} failed: {}", action, std::generic_category().message(errorNumber)));
}

}    // namespace

// Guard pages count too, so the address range is twice the capacity.
MappedMemory::MappedMemory(std::size_t capacity) : capacity_(wholePages(capacity)) {
    file_ = platform::makeMemoryFile();
    if (file_ < 0) failSystem("making the memory of the device", errno);
    const std::size_t range = 2 * capacity_;
    void* first = MAP_FAILED;
    void* second = MAP_FAILED;
    int errorNumber = 0;
    if (::ftruncate(file_, static_cast<off_t>(range)) == 0) {
        first = ::mmap(nullptr, range, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file_, 0);
        second = ::mmap(nullptr, range, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
    }
    if (first == MAP_FAILED || second == MAP_FAILED) {
        errorNumber = errno;
        if (first != MAP_FAILED) ::munmap(first, range);
        ::close(file_);
        failSystem("mapping the memory of the device", errorNumber);
    }
    kernels_ = static_cast<std::byte*>(first);
    transfers_ = static_cast<std::byte*>(second);
}

MappedMemory::~MappedMemory() {
    ::munmap(kernels_, 2 * capacity_);
    ::munmap(transfers_, 2 * capacity_);
    ::close(file_);
}

DeviceBlock MappedMemory::reserve(std::size_t bytes) {
    const std::size_t wanted = wholePages(bytes == 0 ? 1 : bytes);
    const auto fail = [&] {
        throw DeviceError(DeviceProblem::OutOfDeviceMemory, "host",
                          fmt::format("a copy needs {} bytes, and {} of {} are free", bytes, capacity_ - used_, capacity_));
    };
    if (wanted < bytes || wanted > capacity_ - used_) fail();
    std::size_t begin = 0;    // the first gap that is long enough, with a page behind the block that no one has
    for (const auto& [offset, pages] : blocks_) {
        if (offset >= begin + wanted + pageBytes()) break;
        begin = offset + pages.bytes + pageBytes();
    }
    if (begin + wanted + pageBytes() > 2 * capacity_) fail();
    blocks_.emplace(begin, Pages{wanted});
    used_ += wanted;
    return {kernels_ + begin, wanted};
}

void MappedMemory::release(DeviceBlock block) noexcept {
    const auto found = blocks_.find(static_cast<std::size_t>(block.address - kernels_));
    if (found == blocks_.end()) return;
    platform::giveBack(file_, static_cast<off_t>(found->first), static_cast<off_t>(found->second.bytes));
    used_ -= found->second.bytes;
    blocks_.erase(found);
}

std::byte* MappedMemory::forTransfer(const std::byte* device, std::size_t bytes) const {
    if (device >= kernels_ && device < kernels_ + 2 * capacity_) {
        const auto offset = static_cast<std::size_t>(device - kernels_);
        auto block = blocks_.upper_bound(offset);
        if (block != blocks_.begin()) {
            --block;
            const std::size_t inside = offset - block->first;
            if (inside <= block->second.bytes && bytes <= block->second.bytes - inside) return transfers_ + offset;
        }
    }
    throw DeviceError(DeviceProblem::NotCopied, "host", "a transfer of memory that the device has not reserved");
}

void MappedMemory::allow() {
    const int errorNumber = setAccess(PROT_READ | PROT_WRITE);
    if (errorNumber == 0) return;
    forbid();
    const auto copies = std::count_if(blocks_.begin(), blocks_.end(), [](const auto& block) { return block.second.isInUse; });
    throw DeviceError(DeviceProblem::OutOfDeviceMemory, "host",
                      fmt::format("allowing kernels the memory of {} copies failed: {}: end other copies, or raise vm.max_map_count, of "
                                  "which each copy takes 2",
                                  copies, std::generic_category().message(errorNumber)));
}
// Memory that cannot be forbidden was never allowed, or stays allowed. That hides mistakes of kernels, and makes none.
void MappedMemory::forbid() noexcept { static_cast<void>(setAccess(PROT_NONE)); }

int MappedMemory::setAccess(int protection) noexcept {
    int errorNumber = 0;
    for (const auto& [offset, pages] : blocks_) {
        if (pages.isInUse && ::mprotect(kernels_ + offset, pages.bytes, protection) != 0) errorNumber = errno;
    }
    return errorNumber;
}

void MappedMemory::setInUse(const DeviceBlock& block, bool isInUse) noexcept {
    const auto found = blocks_.find(static_cast<std::size_t>(block.address - kernels_));
    if (found != blocks_.end()) found->second.isInUse = isInUse;
}

}    // namespace ferry::detail
