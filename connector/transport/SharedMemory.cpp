#include <ferry/connector/transport/SharedMemory.hpp>

#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

/// The name of the file, with a zero at its end. Ferry opens memory also where a std::bad_alloc must not come, so it needs no memory of the
/// heap.
std::array<char, 64> nameOf(const SharedMemory::Address& address) {
    std::array<char, 64> name{};
    fmt::format_to_n(name.data(), name.size() - 1, "ferry-{:016x}{:016x}", address.key[0], address.key[1]);
    return name;
}

}    // namespace

SharedMemory SharedMemory::create(std::size_t bytes) noexcept {
    SharedMemory memory;
    Address address;
    if (!platform::fillWithRandomBytes(std::as_writable_bytes(std::span(address.key)))) return memory;
    const int file = platform::makeSharedFile(nameOf(address).data(), bytes);
    if (file < 0) return memory;
    memory.map(file, bytes);
    if (memory.isMapped())
        memory.address_ = {::getpid(), file, address.key};
    else
        ::close(file);
    return memory;
}

SharedMemory SharedMemory::open(const Address& address, std::size_t bytes) noexcept {
    SharedMemory memory;
    const int file = platform::openSharedFile(address.process, address.file, nameOf(address).data(), bytes);
    if (file < 0) return memory;
    memory.map(file, bytes);
    ::close(file);
    return memory;
}

void SharedMemory::map(int file, std::size_t bytes) noexcept {
    void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (data == MAP_FAILED) return;
    data_ = static_cast<std::byte*>(data);
    byteCount_ = bytes;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      byteCount_(std::exchange(other.byteCount_, 0)),
      address_(std::exchange(other.address_, {})) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(byteCount_, other.byteCount_);
    std::swap(address_, other.address_);
    return *this;
}

SharedMemory::~SharedMemory() {
    if (data_ != nullptr) ::munmap(data_, byteCount_);
    close();
}

void SharedMemory::close() noexcept {
    if (address_ != Address{}) ::close(static_cast<int>(address_.file));
    address_ = {};
}

}    // namespace ferry::detail
