#include <ferry/guard/known/OtherThreads.hpp>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>

namespace ferry::pmpi {

namespace {

std::atomic<pid_t> leftOut{-1};

/// The time that each other thread of this process has computed, in nanoseconds, by the thread's number. Empty if it cannot be read.
std::map<std::string, std::string> timesOfThreads() {
    std::map<std::string, std::string> times;
    std::error_code error;
    const std::string own = std::to_string(::gettid());
    const std::string guard = std::to_string(leftOut);
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
        const std::string number = entry.path().filename().string();
        if (number == own || number == guard) continue;
        std::ifstream file(entry.path() / "schedstat");
        std::string time;
        file >> time;
        times[number] = time;
    }
    return times;
}

/// The times at the last look, by thread.
std::map<std::string, std::string>& timesAtLastLook() {
    static auto& times = *new std::map<std::string, std::string>;    // never destroyed: see Communicators
    return times;
}

std::set<std::string>& threadsBeforeMpi() {
    static auto& threads = *new std::set<std::string>;    // never destroyed: see Communicators
    return threads;
}

std::set<std::string>& threadsOfMpi() {
    static auto& threads = *new std::set<std::string>;    // never destroyed: see Communicators
    return threads;
}

/// Whether only another thread of this process can end the wait of the thread: it waits in futex() without a time limit, at a place that no
/// other process shares. False if this cannot be read.
bool waitsForOtherThread(const std::string& number) {
    std::ifstream file("/proc/self/task/" + number + "/syscall");    // the number of the system call, and its arguments
    long call = -1;
    std::string address, value, limit;
    unsigned long operation = 0;
    file >> call >> address >> std::hex >> operation >> value >> limit;
    return file && call == SYS_futex && (operation & FUTEX_PRIVATE_FLAG) != 0 && limit == "0x0";
}

}    // namespace

void OtherThreads::noteProgram() {
    for (const auto& [number, time] : timesOfThreads()) threadsBeforeMpi().insert(number);
}

void OtherThreads::noteMpi() {
    for (const auto& [number, time] : timesOfThreads()) {
        if (threadsBeforeMpi().count(number) == 0) threadsOfMpi().insert(number);
    }
}

void OtherThreads::leaveThisOut() { leftOut = ::gettid(); }

bool OtherThreads::mayAct() {
    const auto times = timesOfThreads();
    return std::any_of(times.begin(), times.end(),
                       [](const auto& one) { return threadsOfMpi().count(one.first) == 0 && !waitsForOtherThread(one.first); });
}

bool OtherThreads::haveComputed() {
    std::map<std::string, std::string> times = timesOfThreads();
    std::swap(times, timesAtLastLook());
    return times != timesAtLastLook();
}

}    // namespace ferry::pmpi
