#include <ferry/serialization/platform/System.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <linux/magic.h>
#include <linux/membarrier.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace ferry::detail::platform {

namespace {

std::string fileText(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string linkText(const char* path) {
    std::array<char, 256> bytes{};
    const ssize_t length = ::readlink(path, bytes.data(), bytes.size());
    return length > 0 ? std::string(bytes.data(), static_cast<std::size_t>(length)) : std::string();
}

sem_t arrivals;    // a signal handler uses it

/// Writes the memory to a pipe, which copies it or fails, and reads it from there. The pipe takes a page without a wait.
std::optional<std::size_t> readThroughPipe(std::uintptr_t address, std::span<char> to) noexcept {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) return std::nullopt;
    constexpr std::size_t mostAtOnce = 1024;    // for less than a page, all is written or nothing may be
    std::optional<std::size_t> found;
    ssize_t count = ::write(pipe[1], reinterpret_cast<const void*>(address), std::min(to.size(), mostAtOnce));
    if (count < 0 && errno == EFAULT) found = 0;
    if (count > 0) count = ::read(pipe[0], to.data(), static_cast<std::size_t>(count));
    if (count > 0) found = static_cast<std::size_t>(count);
    ::close(pipe[0]);
    ::close(pipe[1]);
    return found;
}

long membarrier(int command) noexcept { return ::syscall(SYS_membarrier, command, 0, 0); }

/// The loaded file around an address, with its readable bytes from there on.
struct Search {
    std::uintptr_t address;
    std::span<const std::uint8_t> found{};
    const char* path = nullptr;
    std::uintptr_t base = 0;

    explicit Search(std::uintptr_t wanted) noexcept : address(wanted) { ::dl_iterate_phdr(look, this); }

    static int look(dl_phdr_info* info, std::size_t, void* place) {
        auto& search = *static_cast<Search*>(place);
        for (const ElfW(Phdr) & header : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
            const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
            if (header.p_type != PT_LOAD || (header.p_flags & PF_R) == 0) continue;
            if (search.address < begin || search.address - begin >= header.p_filesz) continue;
            search.found = {reinterpret_cast<const std::uint8_t*>(search.address), begin + header.p_filesz - search.address};
            search.path = info->dlpi_name;
            search.base = info->dlpi_addr;
            return 1;
        }
        return 0;
    }
};

// The seals of shared memory. No process can make the file shorter, so that mapped memory is there.
constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

// Text with a zero at its end. Ferry opens memory also where a std::bad_alloc must not come, so text needs no memory of the heap.
using Text = std::array<char, 128>;

template <class... Args>
Text textOf(fmt::format_string<Args...> format, Args&&... args) {
    Text text{};
    fmt::format_to_n(text.data(), text.size() - 1, format, std::forward<Args>(args)...);
    return text;
}

/// Tells whether the process has this very file open at the path: proc_pid_fd(5), memfd_create(2).
bool isAt(const Text& path, const char* name) {
    Text found{};
    const ssize_t length = ::readlink(path.data(), found.data(), found.size() - 1);
    return length > 0 && std::string_view(found.data()) == textOf("/memfd:{} (deleted)", name).data();
}

bool hasSize(int file, std::size_t byteCount) {
    struct stat status {};
    const int ownSeals = ::fcntl(file, F_GET_SEALS);
    return ::fstat(file, &status) == 0 && static_cast<std::size_t>(status.st_size) == byteCount && ownSeals >= 0 &&
           (ownSeals & F_SEAL_SHRINK) != 0;
}

}    // namespace

std::uint64_t threadNumber() noexcept { return static_cast<std::uint64_t>(::syscall(SYS_gettid)); }

void orderWithOtherThreads() noexcept {
    static const bool isOffered = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
    if (isOffered) static_cast<void>(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
}

Processors allowedProcessors() noexcept {
    static_assert(sizeof(Processors) == sizeof(cpu_set_t));
    Processors processors{};
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) == 0) std::memcpy(processors.data(), &set, sizeof set);    // else more than CPU_SETSIZE
    return processors;
}

int currentProcessor() noexcept { return ::sched_getcpu(); }

void stayOnProcessor(int processor) noexcept {
    if (processor < 0 || processor >= CPU_SETSIZE) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(processor), &one);
    static_cast<void>(::sched_setaffinity(0, sizeof(one), &one));
}

/// Linux 6.16 and later keep the waits of a process in a few lists, as many as suit its processors. With thousands of threads that wait,
/// each handing over would look through long lists. Older kernels refuse the call, and do not need it.
void makeRoomForWaits(int threadCount) noexcept {
    constexpr int setFutexHash = 78;    // PR_FUTEX_HASH, which the headers do not know yet
    constexpr unsigned long setSlots = 1;
    static_cast<void>(::prctl(setFutexHash, setSlots, std::bit_ceil(static_cast<unsigned long>(threadCount)), 0ul, 0ul));
}

bool takeWaitingSignal(const sigset_t& signals) noexcept {
    const timespec noTime{};
    int signal = 0;
    do {
        signal = ::sigtimedwait(&signals, nullptr, &noTime);
    } while (signal < 0 && errno == EINTR);
    return signal > 0;
}

void beginArrivals() noexcept { ::sem_init(&arrivals, 0, 0); }

void noteArrival() noexcept { ::sem_post(&arrivals); }

void awaitArrival(std::optional<std::chrono::milliseconds> atMost) noexcept {
    if (!atMost) {
        while (::sem_wait(&arrivals) != 0 && errno == EINTR) {}
        return;
    }
    timespec deadline = {};
    ::clock_gettime(CLOCK_REALTIME, &deadline);
    const auto nanoseconds = std::chrono::nanoseconds(*atMost).count() + deadline.tv_nsec;
    deadline.tv_sec += nanoseconds / 1'000'000'000;
    deadline.tv_nsec = nanoseconds % 1'000'000'000;
    while (::sem_timedwait(&arrivals, &deadline) != 0 && errno == EINTR) {}
}

void endArrivals() noexcept { ::sem_destroy(&arrivals); }

/// Where the system refuses the call for other memory, a pipe tells whether it can be read.
std::optional<std::size_t> readOwnMemory(std::uintptr_t address, std::span<char> to) noexcept {
    const int error = errno;
    const iovec local{to.data(), to.size()};
    const iovec remote{reinterpret_cast<void*>(address), to.size()};
    const ssize_t count = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
    const bool isKnown = count >= 0 || errno == EFAULT;
    const std::size_t readCount = static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    const std::optional<std::size_t> found = isKnown ? std::optional(readCount) : readThroughPipe(address, to);
    errno = error;
    return found;
}

/// A program that starts another one in the same process leaves it the environment, but not these bytes.
std::uint32_t numberOfThisStart() noexcept {
    constexpr std::size_t randomBytes = 16;    // given by the system to each program that it starts
    std::uint32_t hash = 2166136261u ^ static_cast<std::uint32_t>(::getpid());
    const auto* const random = reinterpret_cast<const unsigned char*>(::getauxval(AT_RANDOM));
    for (std::size_t i = 0; random != nullptr && i < randomBytes; ++i) hash = (hash ^ random[i]) * 16777619u;
    return hash;
}

bool fillWithRandomBytes(std::span<std::byte> bytes) noexcept {
    for (;;) {
        const ssize_t count = ::getrandom(bytes.data(), bytes.size(), 0);    // up to 256 bytes come in one call
        if (count == static_cast<ssize_t>(bytes.size())) return true;
        if (count < 0 && errno != EINTR) return false;
    }
}

std::string programFile() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

std::vector<std::string> programArguments() {
    std::vector<std::string> arguments;
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
    if (!arguments.empty()) arguments.erase(arguments.begin());
    return arguments;
}

std::optional<bool> wasStartedWith(std::string_view variable) {
    std::ifstream start("/proc/self/environ", std::ios::binary);
    for (std::string entry; std::getline(start, entry, '\0');) {
        if (entry.size() > variable.size() && entry.starts_with(variable) && entry[variable.size()] == '=') return true;
    }
    return false;
}

std::optional<mode_t> umaskOfProcess() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("Umask:")) return static_cast<mode_t>(std::strtoul(line.c_str() + 6, nullptr, 8)) & 0777;
    }
    return std::nullopt;
}

bool callAtExit(void (*function)(int, void*), void* argument) noexcept { return ::on_exit(function, argument) == 0; }

bool callAtQuickExit(void (*function)(void*, int)) noexcept {
    // glibc calls these functions as it calls those of exit(): with a null pointer and the status, which C++ does not tell.
    return std::at_quick_exit(reinterpret_cast<void (*)()>(function)) == 0;
}

void endProcess(int status) noexcept {
    for (;;) ::syscall(SYS_exit_group, status);
}

std::optional<LoadedFile> loadedFileAt(std::uintptr_t address) {
    const Search search(address);
    if (search.found.empty()) return std::nullopt;
    const bool isProgram = search.path == nullptr || *search.path == '\0';
    return LoadedFile{isProgram ? "/proc/self/exe" : search.path, search.base};
}

std::span<const std::uint8_t> loadedBytesFrom(std::uintptr_t address) noexcept { return Search(address).found; }

std::uint64_t countOfUnloads() noexcept {
    std::uint64_t count = 0;
    const auto look = [](dl_phdr_info* info, std::size_t, void* place) {
        *static_cast<std::uint64_t*>(place) = info->dlpi_subs;
        return 1;
    };
    ::dl_iterate_phdr(look, &count);
    return count;
}

ProcessState stateOfProcess(std::int32_t process) {
    const std::string line = fileText(fmt::format("/proc/{}/stat", process));
    if (line.empty()) return fileText("/proc/self/stat").empty() ? ProcessState::Unknown : ProcessState::Gone;
    return stateInLine(line);
}

ProcessState stateInLine(const std::string& line) {
    const std::size_t end = line.rfind(')');    // the name before the parenthesis may hold any character
    if (end == std::string::npos || end + 2 >= line.size()) return ProcessState::Unknown;
    switch (line[end + 2]) {
        case 'T': return ProcessState::Stopped;
        case 't': return ProcessState::Traced;
        case 'Z':
        case 'X':
        case 'x': return ProcessState::Gone;
        default: return ProcessState::Running;
    }
}

std::string hostText() {
    return fileText("/proc/sys/kernel/random/boot_id") + linkText("/proc/self/ns/pid") + linkText("/proc/self/ns/net");
}

int openFolderOfHiddenFiles(const char* folder) noexcept { return ::open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC); }

/// The links in /proc are such links.
bool hasLinksToOpenFiles(const char* folder) noexcept {
    struct statfs system {};
    return ::statfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

int flush(int file) noexcept { return ::fsync(file); }

int flushData(int file) noexcept { return ::fdatasync(file); }

void startFlushing(int file, std::uint64_t begin, std::uint64_t byteCount) noexcept {
    ::sync_file_range(file, static_cast<off64_t>(begin), static_cast<off64_t>(byteCount), SYNC_FILE_RANGE_WRITE);
}

int reserve(int file, off_t end, off_t byteCount) noexcept { return ::posix_fallocate(file, end, byteCount); }

void giveBack(int file, off_t begin, off_t byteCount) noexcept {
    static_cast<void>(!::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, begin, byteCount));
}

int openFileWithoutName(const char* folder) noexcept { return ::open(folder, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600); }

int makeMemoryFile() noexcept { return ::memfd_create("ferry device", MFD_CLOEXEC); }

int makeSharedFile(const char* name, std::size_t byteCount) noexcept {
    const int file = ::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    int failure = EINTR;
    while (failure == EINTR) failure = ::posix_fallocate(file, 0, static_cast<off_t>(byteCount));
    if (failure == 0 && ::fcntl(file, F_ADD_SEALS, seals) == 0) return file;
    ::close(file);
    return -1;
}

int openSharedFile(std::int64_t process, std::int64_t file, const char* name, std::size_t byteCount) noexcept {
    const Text path = textOf("/proc/{}/fd/{}", process, file);
    if (!isAt(path, name)) return -1;
    const int opened = ::open(path.data(), O_RDWR | O_CLOEXEC);
    if (opened < 0 || hasSize(opened, byteCount)) return opened;
    ::close(opened);
    return -1;
}

int makeSocket() noexcept { return ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

int acceptConnection(int listener) noexcept { return ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK); }

ssize_t sendWithoutSignal(int connection, std::span<const std::byte> bytes) noexcept {
    return ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool limitSilence(int connection, unsigned milliseconds) noexcept {
    return ::setsockopt(connection, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof(milliseconds)) == 0;
}

int makeBell() noexcept { return ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void ringBell(int bell) noexcept {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(bell, &one, sizeof(one)));    // fails only when the bell rings already
}

void silenceBell(int bell) noexcept {
    std::uint64_t count = 0;
    static_cast<void>(!::read(bell, &count, sizeof(count)));    // fails only when the bell is silent
}

}    // namespace ferry::detail::platform
