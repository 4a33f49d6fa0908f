#include <ferry/guard/preload/RollCaller.hpp>

#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/known/HostMemory.hpp>
#include <ferry/guard/known/OtherThreads.hpp>
#include <ferry/guard/known/RollNote.hpp>
#include <ferry/guard/meeting/Standing.hpp>
#include <ferry/guard/meeting/rollCallText.hpp>
#include <ferry/guard/preload/EndSignals.hpp>
#include <ferry/guard/preload/StackSignal.hpp>

namespace ferry::detail {

namespace {

using Board = pmpi::HostMemory::Page::Board;
using Clock = std::chrono::steady_clock;
using Telling = pmpi::HostMemory::Telling;

constexpr auto tick = std::chrono::milliseconds(1000);    // between two looks at the progress of this rank
constexpr auto timeForAnswers = std::chrono::seconds(5);
constexpr auto timeForLook = std::chrono::seconds(1);    // in which a rank that has answered tells whether it has moved since
constexpr const char* threadName = "ferryGuard";         // `ferryrun --roll-call` looks for it
constexpr auto look = std::chrono::milliseconds(5);
constexpr auto longestTelling = timeForAnswers + timeForLook + std::chrono::seconds(2);
constexpr int ticksUntilTold = 3;    // of a rank that is stopped
constexpr std::size_t stackBytes = 1024 * 1024;

struct Peer {
    int rank = -1;
    Board* board = nullptr;
    std::int64_t process = 0;
};

/// The data of the thread. Set before the thread begins, and never destroyed.
struct Shared {
    pid_t process = 0;
    pthread_t program{};        // the thread that runs the program
    Board* board = nullptr;     // of this rank
    std::vector<Peer> peers;    // on this host, this rank included, by rank
    std::atomic<bool> isBegun{false};
    int interpreterFile = -1;    // gets the stack of a script
    int rank = -1;
    double watchSeconds = 0;    // after which a wait is told; 0: never
    std::atomic<bool> mustEnd{false};
    pthread_t caller{};    // the thread of the guard
    Board alone{};         // where no memory is shared
};

Shared& shared() noexcept {
    static Shared& all = *new Shared;
    return all;
}

void wake(std::atomic<std::uint32_t>& bell) noexcept {
    ++bell;
    ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&bell), FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void sleepAt(std::atomic<std::uint32_t>& bell, std::uint32_t seen) noexcept {
    const timespec time{.tv_sec = tick.count() / 1000, .tv_nsec = tick.count() % 1000 * 1000000};
    ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&bell), FUTEX_WAIT, seen, &time, nullptr, 0);
}

using DumpTraceback = void(int file, void* state);
using StateOfThread = void*();

DumpTraceback* dumpTraceback = nullptr;    // functions of Python, which faulthandler calls in handlers of signals, too
StateOfThread* stateOfThread = nullptr;

void takeInterpreterStack(int file) noexcept {
    if (dumpTraceback == nullptr || stateOfThread == nullptr || file < 0) return;
    if (::ftruncate(file, 0) != 0 || ::lseek(file, 0, SEEK_SET) != 0) return;
    if (void* state = stateOfThread()) dumpTraceback(file, state);
}

/// The first line of a stack of Python that is not in an installed module, such as "solve (script.py:17)".
std::string placeInFile(int file) {
    if (file < 0) return {};
    std::array<char, 8192> bytes{};
    const ssize_t count = ::pread(file, bytes.data(), bytes.size(), 0);
    std::string text(bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);    // File "/a/b.py", line 17 in solve
        begin = end + 1;
        const std::size_t open = line.find('"');
        const std::size_t close = line.rfind("\", line ");
        const std::size_t in = line.rfind(" in ");
        if (open == line.npos || close == line.npos || in == line.npos || in < close) continue;
        const std::string path = line.substr(open + 1, close - open - 1);
        if (path.find("-packages/") != path.npos || path.find("/lib/python") != path.npos || path.starts_with("<frozen")) continue;
        return fmt::format("{} ({}:{})", line.substr(in + 4), path.substr(path.rfind('/') + 1), line.substr(close + 8, in - close - 8));
    }
    return {};
}

std::string placeInPython() {
    takeInterpreterStack(shared().interpreterFile);
    return placeInFile(shared().interpreterFile);
}

/// Whether a wish for a roll call has come: SIGUSR1 to this thread alone. This signal to the process stays for the program.
bool takeWish() {
    std::ifstream file("/proc/thread-self/status");
    std::string line;
    while (std::getline(file, line) && !line.starts_with("SigPnd:")) {}
    if (line.empty() || (std::strtoull(line.c_str() + line.find(':') + 1, nullptr, 16) >> (SIGUSR1 - 1) & 1U) == 0) return false;
    sigset_t wish;
    ::sigemptyset(&wish);
    ::sigaddset(&wish, SIGUSR1);
    const timespec noTime{};
    return ::sigtimedwait(&wish, nullptr, &noTime) == SIGUSR1;    // signals to the thread come before those to the process
}

/// The standing of the program's thread. Without a stack: nothing is known of it.
pmpi::Standing standingOfProgram() {
    const Shared& all = shared();
    if (::pthread_equal(::pthread_self(), all.program) != 0) return pmpi::standingHere();
    pmpi::Standing standing = pmpi::standingAt(StackSignal::take());
    if (std::string place = placeInFile(all.interpreterFile); !place.empty()) standing.place = std::move(place);
    return standing;
}

/// The letter that the system gives to the state of a process; 0: there is no such process.
char stateOf(std::int64_t number) {
    std::ifstream file(fmt::format("/proc/{}/stat", number));
    std::string text;
    if (!std::getline(file, text)) return 0;
    const std::size_t name = text.rfind(')');    // the name may hold blanks
    return name != text.npos && name + 2 < text.size() ? text[name + 2] : '\0';
}

bool isGone(char state) { return state == 'Z' || state == '\0'; }

bool isRunning(char state) { return state != 'T' && !isGone(state); }

bool isAnswered(const std::atomic<std::uint32_t>& answered, std::uint32_t question) {
    return static_cast<std::int32_t>(answered - question) >= 0;
}

/// Sees for how long the rank has made no progress.
class Progress {
public:
    void look() {
        const std::uint64_t now = pmpi::CallRing::ofProcess().progress();
        if (now == last_) return;
        last_ = now;
        since_ = Clock::now();
    }
    std::int64_t seconds() const { return std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since_).count(); }

private:
    std::uint64_t last_ = 0;
    Clock::time_point since_ = Clock::now();
};

/// Tells when the next rank of the host is stopped.
class Neighbour {
public:
    void look() {
        const Shared& all = shared();
        if (all.peers.size() < 2 || isTold_) return;
        const auto own = std::find_if(all.peers.begin(), all.peers.end(), [&](const Peer& peer) { return peer.rank == all.rank; });
        const Peer& next = own + 1 == all.peers.end() ? all.peers.front() : *(own + 1);
        char state = next.board->isOver != 0 ? 'R' : stateOf(next.process);
        if (isGone(state) && next.board->hasFinalized != 0) state = 'R';    // the process may end as it likes
        ticks_ = isRunning(state) ? 0 : ticks_ + 1;
        if (ticks_ < ticksUntilTold) return;
        isTold_ = true;
        if (state == 'T')
            say(fmt::format("rank {} (process {}) is stopped by a signal, such as SIGSTOP: `kill -CONT {}` lets it go on", next.rank,
                            next.process, next.process));
        else
            say(fmt::format("rank {} (process {}) has ended in the middle of MPI: by a signal such as SIGKILL, or by _exit()", next.rank,
                            next.process));
    }

    static void say(const std::string& text) { std::fputs(fmt::format("ferry: {}\n", text).c_str(), stderr); }

private:
    int ticks_ = 0;
    bool isTold_ = false;
};

/// Tells when this rank waits for long in a call in which the guard cannot wake it.
class LongWait {
public:
    /// seconds: that this rank has made no progress.
    void look(std::int64_t seconds) {
        const Shared& all = shared();
        const char* const call = pmpi::CallRing::ofProcess().unwakeable();
        const bool isLong = call != nullptr && all.watchSeconds > 0 && static_cast<double>(seconds) >= all.watchSeconds;
        if (isLong && !isTold_)
            Neighbour::say(fmt::format("rank {} has waited in {} for {} s, where the guard cannot wake it: another rank holds the lock",
                                       all.rank, call, seconds));
        isTold_ = isLong;
    }

private:
    bool isTold_ = false;
};

std::mutex& answering() {
    static std::mutex& mutex = *new std::mutex;
    return mutex;
}

Progress& progress() {
    static Progress& one = *new Progress;
    return one;
}

void answer(std::uint32_t question) {
    Shared& all = shared();
    const std::lock_guard lock(answering());
    progress().look();
    const std::uint64_t before = pmpi::CallRing::ofProcess().progress();
    pmpi::RollNote note = pmpi::noteOf(all.rank, standingOfProgram(), progress().seconds());
    note.progress = before;
    all.board->note = note;
    all.board->answered = question;
}

/// Passes a wish on to the first rank of the host whose process runs. That rank makes the roll call.
void passWishOn() {
    for (const Peer& peer : shared().peers) {
        if (peer.board->isOver != 0) continue;
        if (peer.board != shared().board && !isRunning(stateOf(peer.process))) continue;
        ++peer.board->wished;
        return wake(peer.board->bell);
    }
}

/// The number of this question to the rank, which is woken by it.
std::uint32_t ask(const Peer& peer, std::atomic<std::uint32_t> Board::*question) {
    const std::uint32_t number = ++(peer.board->*question);
    if (peer.board != shared().board) wake(peer.board->bell);
    return number;
}

/// Waits until the rank has answered the question or a later one, since another rank may ask at the same time. Returns the state of a
/// process that does not run, otherwise 'R'.
char awaitAnswer(const Peer& peer, const std::atomic<std::uint32_t>& answered, std::uint32_t question, Clock::time_point end) {
    while (!isAnswered(answered, question) && peer.board->isOver == 0 && Clock::now() < end) {
        if (const char state = stateOf(peer.process); !isRunning(state)) return state;
        std::this_thread::sleep_for(look);
    }
    return 'R';
}

/// Notes which of the ranks have made or ended a call since their answers. The answers of the others are true together.
void noteMoves(std::vector<pmpi::RollNote>& notes) {
    const Shared& all = shared();
    std::vector<std::uint32_t> questions;
    for (const Peer& peer : all.peers) questions.push_back(ask(peer, &Board::looks));
    const auto end = Clock::now() + timeForLook;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        pmpi::RollNote& note = notes[i];
        const Peer& peer = all.peers[i];
        if (note.state != pmpi::RollNote::InCall && note.state != pmpi::RollNote::Computes) continue;
        if (peer.board == all.board) {
            note.hasMoved = pmpi::CallRing::ofProcess().progress() != note.progress ? 1 : 0;
            continue;
        }
        awaitAnswer(peer, peer.board->looked, questions[i], end);
        note.hasMoved = isAnswered(peer.board->looked, questions[i]) && peer.board->progress == note.progress ? 0 : 1;
    }
}

/// Asks the ranks of this host, and prints their answers.
void makeRollCall() {
    Shared& all = shared();
    std::vector<std::uint32_t> questions;
    for (const Peer& peer : all.peers) questions.push_back(ask(peer, &Board::asked));
    const auto end = Clock::now() + timeForAnswers;
    std::vector<pmpi::RollNote> notes;
    for (std::size_t i = 0; i < all.peers.size(); ++i) {
        const Peer& peer = all.peers[i];
        if (peer.board == all.board) answer(questions[i]);
        const char state = awaitAnswer(peer, peer.board->answered, questions[i], end);
        pmpi::RollNote note;
        if (isAnswered(peer.board->answered, questions[i]))
            note = peer.board->note;
        else if (peer.board->isOver != 0 || (isGone(state) && peer.board->hasFinalized != 0))
            note.state = pmpi::RollNote::AtEnd;
        else if (state == 'T')
            note.state = pmpi::RollNote::Stopped;
        else if (!isRunning(state))
            note.state = pmpi::RollNote::Gone;
        note.rank = peer.rank;
        notes.push_back(note);
    }
    noteMoves(notes);
    Neighbour::say(pmpi::rollCallText(std::move(notes)));
}

void* serve(void* /*nothing*/) {
    Shared& all = shared();
    pmpi::OtherThreads::leaveThisOut();
    std::uint32_t wished = 0;
    std::uint32_t asked = 0;
    std::uint32_t looks = 0;
    Neighbour neighbour;
    LongWait longWait;
    while (!all.mustEnd) {
        const std::uint32_t seen = all.board->bell;
        {
            const std::lock_guard lock(answering());
            progress().look();
            longWait.look(progress().seconds());
        }
        EndSignals::awaitTaken();
        neighbour.look();
        if (takeWish()) passWishOn();
        if (const std::uint32_t wish = all.board->wished; wish != wished) {
            wished = wish;    // wishes that come meanwhile are answered by one more roll call
            makeRollCall();
        }
        if (const std::uint32_t question = all.board->asked; question != asked) {
            asked = question;
            if (all.board->answered != question) answer(question);
        }
        if (const std::uint32_t question = all.board->looks; question != looks) {
            looks = question;
            all.board->progress = pmpi::CallRing::ofProcess().progress();
            all.board->looked = question;
        }
        if (!all.mustEnd) sleepAt(all.board->bell, seen);
    }
    return nullptr;
}

}    // namespace

void RollCaller::begin(const pmpi::MeetingPlace& meetingPlace) {
    Shared& all = shared();
    all.process = ::getpid();
    all.rank = meetingPlace.rank();
    all.watchSeconds = meetingPlace.watchSeconds();
    pmpi::HostMemory::Page* const own = meetingPlace.size() > 1 ? meetingPlace.hostPeers().pageOf(all.rank) : nullptr;
    all.board = own != nullptr ? &own->board : &all.alone;
    for (int rank = 0; own != nullptr && rank < meetingPlace.size(); ++rank) {
        if (pmpi::HostMemory::Page* const page = meetingPlace.hostPeers().pageOf(rank))
            all.peers.push_back({rank, &page->board, meetingPlace.hostPeers().processOf(rank)});
    }
    if (all.peers.empty()) all.peers.push_back({all.rank, all.board, ::getpid()});
    all.program = ::pthread_self();
    dumpTraceback = reinterpret_cast<DumpTraceback*>(::dlsym(RTLD_DEFAULT, "_Py_DumpTraceback"));
    stateOfThread = reinterpret_cast<StateOfThread*>(::dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState"));
    if (dumpTraceback != nullptr && stateOfThread != nullptr) {
        all.interpreterFile = ::memfd_create("ferryStack", MFD_CLOEXEC);
        pmpi::placeInInterpreter = placeInPython;
    }
    StackSignal::begin([]() noexcept { takeInterpreterStack(shared().interpreterFile); });
    // No signal of the program may come to the guard's thread.
    sigset_t everything;
    sigset_t before;
    ::sigfillset(&everything);
    ::pthread_sigmask(SIG_SETMASK, &everything, &before);
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, stackBytes);
    const bool isStarted = ::pthread_create(&all.caller, &attributes, serve, nullptr) == 0;
    ::pthread_attr_destroy(&attributes);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (isStarted) ::pthread_setname_np(all.caller, threadName);    // before the thread runs: a busy machine may let it wait
    all.isBegun = isStarted;
    ::pthread_atfork(nullptr, nullptr, [] {    // a forked child has no such thread
        shared().isBegun = false;
    });
}

void RollCaller::call() {
    Shared& all = shared();
    if (!all.isBegun || !isFirstToTell()) return;
    makeRollCall();
    noteTold();
}

void RollCaller::show() {
    if (shared().isBegun) makeRollCall();
}

bool RollCaller::isFirstToTell() noexcept {
    auto expected = Telling::none;
    return shared().peers.empty() || shared().peers.front().board->telling.compare_exchange_strong(expected, Telling::begun);
}

void RollCaller::noteEndSignal() noexcept {
    if (shared().board != nullptr) wake(shared().board->bell);
}

bool RollCaller::isFirstToEnd() noexcept { return shared().peers.empty() || shared().peers.front().board->isEnding.exchange(1) == 0; }

void RollCaller::noteTold() noexcept {
    if (!shared().peers.empty()) shared().peers.front().board->telling = Telling::done;
}

void RollCaller::awaitTold() noexcept {
    const auto end = Clock::now() + longestTelling;
    while (!shared().peers.empty() && shared().peers.front().board->telling == Telling::begun && Clock::now() < end)
        std::this_thread::sleep_for(look);
}

void RollCaller::noteFinalized() noexcept {
    if (shared().board != nullptr) shared().board->hasFinalized = 1;
}

void RollCaller::end() noexcept {
    Shared& all = shared();
    if (::getpid() != all.process || !all.isBegun.exchange(false)) return;
    all.board->isOver = 1;
    all.mustEnd = true;
    wake(all.board->bell);
    ::pthread_join(all.caller, nullptr);
}

}    // namespace ferry::detail
