#include <ferry/guard/known/OtherThreads.hpp>

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

std::set<std::string>& threadsAtBegin() {
    static auto& threads = *new std::set<std::string>;    // never destroyed: see Communicators
    return threads;
}

}    // namespace

void OtherThreads::note() {
    for (const auto& [number, time] : timesOfThreads()) threadsAtBegin().insert(number);
}

void OtherThreads::leaveThisOut() { leftOut = ::gettid(); }

bool OtherThreads::haveCome() {
    const auto times = timesOfThreads();
    return std::any_of(times.begin(), times.end(), [](const auto& one) { return threadsAtBegin().count(one.first) == 0; });
}

bool OtherThreads::haveComputed() {
    std::map<std::string, std::string> times = timesOfThreads();
    std::swap(times, timesAtLastLook());
    return times != timesAtLastLook();
}

}    // namespace ferry::pmpi
