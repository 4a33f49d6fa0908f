#include <ferry/connector/transport/SharedMemory.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace ferry::detail {

namespace {

// The seals of the file. No process can make the file shorter, so that mapped memory is there.
constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

// Text with a zero at its end. Ferry opens memory also where a std::bad_alloc must not come, so text needs no memory of the heap.
using Text = std::array<char, 128>;

template <class... Args>
Text textOf(fmt::format_string<Args...> format, Args&&... args) {
    Text text{};
    fmt::format_to_n(text.data(), text.size() - 1, format, std::forward<Args>(args)...);
    return text;
}

Text nameOf(const SharedMemory::Address& address) { return textOf("ferry-{:016x}{:016x}", address.key[0], address.key[1]); }

/// Tells whether the process has this very file open at the path: proc_pid_fd(5), memfd_create(2).
bool isAt(const Text& path, const SharedMemory::Address& address) {
    Text found{};
    const ssize_t length = ::readlink(path.data(), found.data(), found.size() - 1);
    return length > 0 && std::string_view(found.data()) == textOf("/memfd:{} (deleted)", nameOf(address).data()).data();
}

bool hasSize(int file, std::size_t bytes) {
    struct stat status {};
    const int ownSeals = ::fcntl(file, F_GET_SEALS);
    return ::fstat(file, &status) == 0 && static_cast<std::size_t>(status.st_size) == bytes && ownSeals >= 0 &&
           (ownSeals & F_SEAL_SHRINK) != 0;
}

}    // namespace

SharedMemory SharedMemory::create(std::size_t bytes) noexcept {
    SharedMemory memory;
    Address address;
    if (::getrandom(address.key.data(), sizeof address.key, 0) != static_cast<ssize_t>(sizeof address.key)) return memory;
    const int file = ::memfd_create(nameOf(address).data(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return memory;
    int failure = EINTR;
    while (failure == EINTR) failure = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
    if (failure == 0 && ::fcntl(file, F_ADD_SEALS, seals) == 0) memory.map(file, bytes);
    if (memory.isMapped())
        memory.address_ = {::getpid(), file, address.key};
    else
        ::close(file);
    return memory;
}

SharedMemory SharedMemory::open(const Address& address, std::size_t bytes) noexcept {
    SharedMemory memory;
    const Text path = textOf("/proc/{}/fd/{}", address.process, address.file);
    if (!isAt(path, address)) return memory;
    const int file = ::open(path.data(), O_RDWR | O_CLOEXEC);
    if (file < 0) return memory;
    if (hasSize(file, bytes)) memory.map(file, bytes);
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
