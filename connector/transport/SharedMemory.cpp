#include <ferry/connector/transport/SharedMemory.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace ferry {

SharedMemory SharedMemory::create(const std::string& name, std::size_t bytes) noexcept {
    const int file = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) return {};
    SharedMemory memory;
    if (posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0) memory = map(file, bytes);
    close(file);
    if (!memory.isMapped()) remove(name);
    return memory;
}

SharedMemory SharedMemory::open(const std::string& name, std::size_t bytes) noexcept {
    const int file = shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0);
    if (file < 0) return {};
    struct stat status {};
    SharedMemory memory;
    if (fstat(file, &status) == 0 && static_cast<std::size_t>(status.st_size) == bytes) memory = map(file, bytes);
    close(file);
    return memory;
}

void SharedMemory::remove(const std::string& name) noexcept { shm_unlink(name.c_str()); }

SharedMemory SharedMemory::map(int file, std::size_t bytes) noexcept {
    void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    SharedMemory memory;
    if (data == MAP_FAILED) return memory;
    memory.data_ = static_cast<std::byte*>(data);
    memory.byteCount_ = bytes;
    return memory;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      byteCount_(std::exchange(other.byteCount_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(byteCount_, other.byteCount_);
    return *this;
}

SharedMemory::~SharedMemory() {
    if (data_ != nullptr) munmap(data_, byteCount_);
}

}    // namespace ferry
