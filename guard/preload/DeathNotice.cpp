#include <ferry/guard/preload/DeathNotice.hpp>

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <ferry/serialization/exception/LastThrow.hpp>

namespace ferry::detail {

namespace {

struct Watched {
    int number;
    std::string_view name;
    struct sigaction before {};
};

std::array<Watched, 5>& watched() noexcept {
    static std::array<Watched, 5> all{Watched{SIGSEGV, "SIGSEGV"}, Watched{SIGBUS, "SIGBUS"}, Watched{SIGFPE, "SIGFPE"},
                                      Watched{SIGILL, "SIGILL"}, Watched{SIGABRT, "SIGABRT"}};
    return all;
}

constexpr int noStatus = -1;

std::atomic<bool> isOn{false};
std::atomic<int> statusAfterFailure{noStatus};
pid_t process = 0;
int rankOfNotice = -1;
constexpr int noRank = -1;
std::atomic<int> failedRank{noRank};    // set behind the text
std::array<char, 600> failedText{};

/// A text of limited length, made without memory from the heap.
class SignalText {
public:
    SignalText& operator<<(std::string_view text) noexcept {
        const std::size_t count = std::min(text.size(), characters_.size() - length_);
        std::copy_n(text.begin(), count, characters_.begin() + static_cast<std::ptrdiff_t>(length_));
        length_ += count;
        return *this;
    }
    SignalText& operator<<(int number) noexcept {
        std::array<char, 12> digits{};
        std::size_t first = digits.size();
        for (int rest = number; first == digits.size() || rest > 0; rest /= 10) digits[--first] = static_cast<char>('0' + rest % 10);
        return *this << std::string_view(digits.data() + first, digits.size() - first);
    }
    void write() const noexcept {
        const ssize_t written = ::write(STDERR_FILENO, characters_.data(), length_);
        static_cast<void>(written);    // there is no other place for the text
    }

private:
    std::array<char, 1000> characters_{};
    std::size_t length_ = 0;
};

/// Ends the line with the cause of the end, as far as it is known.
void addCause(SignalText& text) noexcept {
    if (failedRank != noRank) {
        text << ". Before, rank " << failedRank.load() << " has failed: " << failedText.data() << "\n";
        return;
    }
    std::array<char, LastThrow::shortTextBytes> thrown{};
    LastThrow::copyShortText(thrown);
    if (thrown[0] != '\0') text << ". The last exception that it has thrown: " << thrown.data();
    text << "\n";
}

/// Ends a process whose failure is told. Its clean-up has gone wrong, since the failure has left out calls.
[[noreturn]] void endCleanUp(const Watched& signal, int status) noexcept {
    SignalText text;
    text << "ferry: rank " << rankOfNotice << " ends at once with status " << status
         << ": its clean-up after the failure has come to signal " << signal.number << " (" << signal.name << ")\n";
    text.write();
    for (;;) ::syscall(SYS_exit_group, status);
}

void say(const Watched& signal) noexcept {
    SignalText text;
    text << "ferry: rank " << rankOfNotice << " is ended by signal " << signal.number << " (" << signal.name << ")";
    addCause(text);
    text.write();
    if (signal.before.sa_handler != SIG_DFL) return;    // Open MPI prints the stack
    std::array<void*, 64> frames{};
    ::backtrace_symbols_fd(frames.data(), ::backtrace(frames.data(), static_cast<int>(frames.size())), STDERR_FILENO);
}

/// Says so, and lets the signal work as before. A fault happens again, with its address, when the handler returns.
void handle(int number, siginfo_t* information, void* /*context*/) {
    const int error = errno;
    for (Watched& one : watched()) {
        if (one.number != number) continue;
        const bool isOwn = isOn.exchange(false) && ::getpid() == process;
        if (isOwn && statusAfterFailure != noStatus) endCleanUp(one, statusAfterFailure);
        if (isOwn) say(one);
        ::sigaction(number, &one.before, nullptr);
    }
    const bool isFault = information != nullptr && information->si_code > 0;
    if (!isFault) ::raise(number);    // held back until the handler returns
    errno = error;
}

/// Whether the signal has no handler, or that of Open MPI, which prints addresses.
bool isFree(const struct sigaction& action) noexcept {
    if ((action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL) return true;
    if ((action.sa_flags & SA_SIGINFO) == 0) return false;
    Dl_info info{};
    return ::dladdr(reinterpret_cast<void*>(action.sa_sigaction), &info) != 0 && info.dli_fname != nullptr &&
           std::strstr(info.dli_fname, "libopen-pal") != nullptr;
}

/// Gives this thread a stack for handlers, unless it has one: the signal may come since its own stack is full.
void makeStackForHandlers() noexcept {
    static std::array<char, 65536> room;
    stack_t present{};
    if (::sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
    stack_t own{};
    own.ss_sp = room.data();
    own.ss_size = room.size();
    ::sigaltstack(&own, nullptr);
}

}    // namespace

void DeathNotice::install(int rank) noexcept {
    makeStackForHandlers();
    process = ::getpid();
    rankOfNotice = rank;
    std::array<void*, 1> frame{};
    ::backtrace(frame.data(), 1);    // loads what the handler needs
    isOn = true;
    for (Watched& one : watched()) {
        struct sigaction own {};
        own.sa_sigaction = handle;
        own.sa_flags = SA_ONSTACK | SA_SIGINFO;
        if (::sigaction(one.number, nullptr, &one.before) == 0 && isFree(one.before)) ::sigaction(one.number, &own, nullptr);
    }
}

void DeathNotice::tellExit(const char* function, int status) noexcept {
    if (::getpid() != process || !isOn.exchange(false)) return;    // a child of fork() or vfork() ends so
    SignalText text;
    text << "ferry: rank " << rankOfNotice << " has called " << function << "(" << status << ") in the middle of MPI";
    addCause(text);
    text.write();
}

void DeathNotice::noteFailure(int rank, std::string_view text) noexcept {
    text.copy(failedText.data(), failedText.size() - 1);
    failedRank = rank;
}

void DeathNotice::endWith(int status) noexcept { statusAfterFailure = status; }

void DeathNotice::stop() noexcept { isOn = false; }

}    // namespace ferry::detail
