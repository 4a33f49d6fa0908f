#include <ferry/tests/framework/losses/Doom.hpp>

#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include <ferry/tests/framework/TestTasks.hpp>

namespace ferry::test {

namespace {

/// Notes the end of the rank in the folder FERRY_TEST_TIMES: a word for the way, and the time in microseconds since 1970.
void noteTime(int rank, const std::string& how) {
    const char* folder = std::getenv("FERRY_TEST_TIMES");
    if (folder == nullptr) return;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    std::ofstream(std::string(folder) + "/" + std::to_string(rank))
        << how << " " << std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

/// Whether ferryrun has restarted the job.
bool isAgain() {
    const char* attempt = std::getenv("FERRY_ATTEMPT");
    return attempt != nullptr && std::atoi(attempt) > 1;
}

}    // namespace

Doom::Doom(int rank) : rank_(rank) {
    const char* said = std::getenv("FERRY_TEST_DOOM");
    std::istringstream all(said != nullptr ? said : "");
    for (std::string one; std::getline(all, one, ',');) {
        std::istringstream words(one);
        std::string whose;
        std::string count;
        std::string once;
        Fate fate;
        std::getline(words, whose, ':');
        std::getline(words, fate.point, ':');
        std::getline(words, count, ':');
        std::getline(words, fate.how, ':');
        std::getline(words, once, ':');
        if (std::atoi(whose.c_str()) != rank || (isAgain() && once == "once")) continue;
        fate.count = std::atoi(count.c_str());
        fates_.push_back(fate);
    }
    for (const Fate& fate : fates_) {
        if (fate.point != "time") continue;
        std::thread([rank, fate] {
            std::this_thread::sleep_for(std::chrono::milliseconds(fate.count));
            endNow(rank, fate.how);
        }).detach();
    }
}

void Doom::reach(const std::string& point) {
    for (Fate& fate : fates_) {
        if (fate.point != point || --fate.count != 0) continue;
        if (fate.how == "spoil") throw Spoiled("the device is lost");
        endNow(rank_, fate.how);
    }
}

void Doom::endNow(int rank, const std::string& how) {
    noteTime(rank, how);
    if (how == "kill") ::raise(SIGKILL);
    if (how == "stop") ::kill(::getpid(), SIGSTOP);
    if (how == "crash") ::raise(SIGSEGV);
    if (how == "abort") std::abort();
    if (how == "threadExit9") std::thread([] { std::exit(9); }).join();
    _exit(how == "exit0" ? 0 : 3);
}

}    // namespace ferry::test
