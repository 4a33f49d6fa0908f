#include <ferry/connector/pmpi/HostMemory.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstddef>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace ferry::pmpi {

namespace {

using Page = HostMemory::Page;

// Nobody can make the file shorter, so that memory which is mapped is there.
constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

/// A descriptor that is closed; negative: there is none.
class Descriptor {
public:
    explicit Descriptor(int number) noexcept : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const noexcept { return number_; }
    /// The caller closes it, or leaves it open.
    int release() noexcept { return std::exchange(number_, -1); }

private:
    int number_;
};

std::optional<Page::Key> drawKey() {
    Page::Key key{};
    if (::getrandom(key.data(), sizeof key, 0) != static_cast<ssize_t>(sizeof key)) return std::nullopt;
    return key;
}

/// Null when it fails.
void* map(int file) {
    void* const mapped = ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return mapped != MAP_FAILED ? mapped : nullptr;
}

bool isPage(int file) {
    struct stat status {};
    return ::fstat(file, &status) == 0 && status.st_size == static_cast<off_t>(sizeof(Page)) &&
           (::fcntl(file, F_GET_SEALS) & F_SEAL_SHRINK) != 0;
}

}    // namespace

HostMemory& HostMemory::ofProcess() {
    static HostMemory memory;
    return memory;
}

HostMemory::HostMemory() {
    const std::optional<Page::Key> key = drawKey();
    Descriptor file(::memfd_create("ferry", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!key || file.number() < 0 || ::ftruncate(file.number(), sizeof(Page)) != 0 || ::fcntl(file.number(), F_ADD_SEALS, seals) != 0)
        return;
    void* const mapped = map(file.number());
    if (mapped == nullptr) return;
    own_ = new (mapped) Page;
    own_->key = *key;
    pages_[*key] = own_;
    address_ = {::getpid(), file.release(), *key};    // open for others as long as this process lives
}

Page* HostMemory::pageAt(const Address& address) {
    if (address == Address{}) return nullptr;
    const auto known = pages_.find(address.key);
    if (known != pages_.end()) return known->second;
    const std::string path = fmt::format("/proc/{}/fd/{}", address.process, address.file);
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
    if (file.number() < 0 || !isPage(file.number())) return nullptr;
    void* const mapped = map(file.number());
    if (mapped == nullptr) return nullptr;
    Page* const page = std::launder(static_cast<Page*>(mapped));
    if (page->key != address.key) {
        ::munmap(mapped, sizeof(Page));
        return nullptr;
    }
    return pages_[address.key] = page;
}

void HostMemory::clear(int slot) noexcept {
    if (own_ == nullptr) return;
    for (Page::Line& line : own_->lines[static_cast<std::size_t>(slot)]) line.counter = 0;
}

}    // namespace ferry::pmpi
