#include <ferry/serialization/platform/System.hpp>

#include <crt_externs.h>
#include <fcntl.h>
#include <mach-o/dyld.h>
#include <mach/mach.h>
#include <mach/mach_vm.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/event.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <climits>
#include <thread>
#include <utility>

// Compiled for macOS, and never run: docs/machines.md.

namespace ferry::detail::platform {

namespace {

std::string textOfSystem(const char* name) {
    std::array<char, 256> text{};
    std::size_t length = text.size() - 1;
    return ::sysctlbyname(name, text.data(), &length, nullptr, 0) == 0 ? std::string(text.data()) : std::string();
}

// The pipe of arrivals: a byte for each. A signal handler uses it. macOS has no semaphore that a process makes for itself.
std::array<int, 2> arrivals{-1, -1};

int failUnsupported() noexcept {
    errno = ENOTSUP;
    return -1;
}

/// Gives a new socket the properties that Linux's calls ask for. -1 stays -1.
int prepared(int socket) noexcept {
    if (socket < 0) return socket;
    const int yes = 1;
    if (::fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 && ::fcntl(socket, F_SETFL, O_NONBLOCK) == 0 &&
        ::setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof(yes)) == 0)
        return socket;
    const int error = errno;
    ::close(socket);
    errno = error;
    return -1;
}

/// The one event of a bell.
struct kevent eventOfBell(std::uint16_t flags, std::uint32_t filterFlags) noexcept {
    struct kevent event {};
    EV_SET(&event, 0, EVFILT_USER, flags, filterFlags, 0, nullptr);
    return event;
}

}    // namespace

std::uint64_t threadNumber() noexcept {
    std::uint64_t number = 0;
    ::pthread_threadid_np(nullptr, &number);
    return number;
}

void orderWithOtherThreads() noexcept {}

/// macOS binds no process to processors.
Processors allowedProcessors() noexcept {
    Processors processors{};
    const unsigned count = std::min(std::thread::hardware_concurrency(), static_cast<unsigned>(processors.size() * 64));
    for (unsigned i = 0; i < count; ++i) processors[i / 64] |= std::uint64_t{1} << i % 64;
    return processors;
}

int currentProcessor() noexcept { return -1; }

void stayOnProcessor(int) noexcept {}

void makeRoomForWaits(int) noexcept {}

bool takeWaitingSignal(const sigset_t& signals) noexcept {
    sigset_t waiting;
    if (::sigpending(&waiting) != 0) return false;
    for (int signal = 1; signal < NSIG; ++signal) {
        if (sigismember(&signals, signal) != 1 || sigismember(&waiting, signal) != 1) continue;
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, signal);
        int taken = 0;
        return ::sigwait(&one, &taken) == 0;
    }
    return false;
}

void beginArrivals() noexcept {
    if (::pipe(arrivals.data()) != 0) return;
    for (const int end : arrivals) {
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
        ::fcntl(end, F_SETFL, O_NONBLOCK);
    }
}

void noteArrival() noexcept {
    const char one = 1;
    static_cast<void>(!::write(arrivals[1], &one, 1));    // fails only when thousands have arrived already
}

void awaitArrival(std::optional<std::chrono::milliseconds> atMost) noexcept {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + atMost.value_or(std::chrono::milliseconds(0));
    char one = 0;
    while (::read(arrivals[0], &one, 1) != 1) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
        if (atMost && left <= 0) return;
        pollfd waited{arrivals[0], POLLIN, 0};
        ::poll(&waited, 1, atMost ? static_cast<int>(std::min<long long>(left, INT_MAX)) : -1);
    }
}

void endArrivals() noexcept {
    for (int& end : arrivals) ::close(std::exchange(end, -1));
}

/// The system places each program that it starts at another address.
std::uint32_t numberOfThisStart() noexcept {
    std::uint32_t hash = 2166136261u ^ static_cast<std::uint32_t>(::getpid());
    auto slide = static_cast<std::uint64_t>(::_dyld_get_image_vmaddr_slide(0));
    for (; slide != 0; slide >>= 8) hash = (hash ^ static_cast<std::uint32_t>(slide & 255)) * 16777619u;
    return hash;
}

bool fillWithRandomBytes(std::span<std::byte> bytes) noexcept {
    ::arc4random_buf(bytes.data(), bytes.size());
    return true;
}

std::string programFile() {
    std::array<char, PATH_MAX> path{};
    auto length = static_cast<std::uint32_t>(path.size());
    return ::_NSGetExecutablePath(path.data(), &length) == 0 ? std::string(path.data()) : std::string();
}

std::vector<std::string> programArguments() {
    const int count = *::_NSGetArgc();
    char** const all = *::_NSGetArgv();
    return count > 0 ? std::vector<std::string>(all + 1, all + count) : std::vector<std::string>();
}

std::optional<bool> wasStartedWith(std::string_view) { return std::nullopt; }

std::optional<mode_t> umaskOfProcess() { return std::nullopt; }

bool callAtExit(void (*)(int, void*), void*) noexcept { return false; }

bool callAtQuickExit(void (*)(void*, int)) noexcept { return false; }

void endProcess(int status) noexcept { ::_exit(status); }

// Programs of macOS are no ELF files, whose debug information Ferry reads.

std::optional<std::size_t> readOwnMemory(std::uintptr_t address, std::span<char> to) noexcept {
    mach_vm_size_t count = 0;
    const kern_return_t result =
        ::mach_vm_read_overwrite(mach_task_self(), address, to.size(), reinterpret_cast<mach_vm_address_t>(to.data()), &count);
    return result == KERN_SUCCESS ? static_cast<std::size_t>(count) : 0;
}

std::optional<LoadedFile> loadedFileAt(std::uintptr_t) { return std::nullopt; }

std::span<const std::uint8_t> loadedBytesFrom(std::uintptr_t) noexcept { return {}; }

std::uint64_t countOfUnloads() noexcept { return 0; }

ProcessState stateOfProcess(std::int32_t process) {
    std::array<int, 4> name{CTL_KERN, KERN_PROC, KERN_PROC_PID, process};
    kinfo_proc found{};
    std::size_t length = sizeof(found);
    if (::sysctl(name.data(), static_cast<unsigned>(name.size()), &found, &length, nullptr, 0) != 0) return ProcessState::Unknown;
    if (length == 0 || found.kp_proc.p_stat == SZOMB) return ProcessState::Gone;
    if (found.kp_proc.p_stat != SSTOP) return ProcessState::Running;
    return (found.kp_proc.p_flag & P_TRACED) != 0 ? ProcessState::Traced : ProcessState::Stopped;
}

std::string hostText() { return textOfSystem("kern.bootsessionuuid") + textOfSystem("kern.hostname"); }

int openFolderOfHiddenFiles(const char* folder) noexcept { return ::open(folder, O_SEARCH | O_DIRECTORY | O_CLOEXEC); }

bool hasLinksToOpenFiles(const char*) noexcept { return false; }

/// fsync() of macOS leaves the bytes in the memory of the disk.
int flush(int file) noexcept { return ::fcntl(file, F_FULLFSYNC) == 0 ? 0 : ::fsync(file); }

int flushData(int file) noexcept { return flush(file); }

void startFlushing(int, std::uint64_t, std::uint64_t) noexcept {}

int reserve(int file, off_t end, off_t byteCount) noexcept {
    fstore_t room{F_ALLOCATEALL, F_PEOFPOSMODE, 0, byteCount, 0};
    if (::fcntl(file, F_PREALLOCATE, &room) != 0) return errno == ENOTSUP ? EOPNOTSUPP : errno;
    return ::ftruncate(file, end + byteCount) == 0 ? 0 : errno;
}

void giveBack(int file, off_t begin, off_t byteCount) noexcept {
    fpunchhole_t hole{0, 0, begin, byteCount};
    static_cast<void>(::fcntl(file, F_PUNCHHOLE, &hole));
}

int openFileWithoutName(const char*) noexcept { return failUnsupported(); }

int makeMemoryFile() noexcept { return failUnsupported(); }

int makeSharedFile(const char*, std::size_t) noexcept { return failUnsupported(); }

int openSharedFile(std::int64_t, std::int64_t, const char*, std::size_t) noexcept { return failUnsupported(); }

int makeSocket() noexcept { return prepared(::socket(AF_INET, SOCK_STREAM, 0)); }

int acceptConnection(int listener) noexcept { return prepared(::accept(listener, nullptr, nullptr)); }

ssize_t sendWithoutSignal(int connection, std::span<const std::byte> bytes) noexcept {
    return ::send(connection, bytes.data(), bytes.size(), MSG_DONTWAIT);
}

bool limitSilence(int connection, unsigned milliseconds) noexcept {
    const auto seconds = static_cast<int>((milliseconds + 999) / 1000);
    return ::setsockopt(connection, IPPROTO_TCP, TCP_RXT_CONNDROPTIME, &seconds, sizeof(seconds)) == 0;
}

int makeBell() noexcept {
    const int bell = ::kqueue();
    if (bell < 0) return bell;
    const struct kevent event = eventOfBell(EV_ADD | EV_CLEAR, 0);
    if (::fcntl(bell, F_SETFD, FD_CLOEXEC) == 0 && ::kevent(bell, &event, 1, nullptr, 0, nullptr) == 0) return bell;
    const int error = errno;
    ::close(bell);
    errno = error;
    return -1;
}

void ringBell(int bell) noexcept {
    const struct kevent event = eventOfBell(0, NOTE_TRIGGER);
    static_cast<void>(::kevent(bell, &event, 1, nullptr, 0, nullptr));
}

void silenceBell(int bell) noexcept {
    const timespec noTime{};
    struct kevent event {};
    static_cast<void>(::kevent(bell, nullptr, 0, &event, 1, &noTime));
}

}    // namespace ferry::detail::platform
