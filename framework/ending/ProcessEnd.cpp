#include <ferry/framework/ending/ProcessEnd.hpp>

#include <unistd.h>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/framework/ending/EndMarker.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

struct Arrangement {
    std::string markerPath;
    int jobStatus = 0;
    bool isWithoutMpi = false;
    pid_t process = 0;    // a forked child has the handler, but not the job
};

void flushAll() {
    log().flush();
    std::cout.flush();
    std::cerr.flush();
    std::clog.flush();
    std::fflush(nullptr);
}

std::atomic<int> statusAtAlarm{0};

void endAtAlarm(int) { _exit(statusAtAlarm.load()); }

/// Another thread may hold the lock of an output and wait in it for ever. Then the signal ends the process.
void limitBySignal() noexcept {
    constexpr unsigned seconds = 1;
    struct sigaction action {};
    action.sa_handler = endAtAlarm;
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, SIGALRM);
    if (::sigaction(SIGALRM, &action, nullptr) != 0) return;
    ::pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
    ::alarm(seconds);
}

void endProcess(int status, void* arranged) {
    const auto* arrangement = static_cast<const Arrangement*>(arranged);
    if (::getpid() != arrangement->process) return;
    flushAll();
    const int visible = visibleExitStatus(status);
    EndMarker::write(arrangement->markerPath, visible != exitStatus::success ? visible : arrangement->jobStatus);
    if (!arrangement->isWithoutMpi) return;
    MpiEnvironment::leaveLauncher();
    _exit(status);
}

}    // namespace

void ProcessEnd::arrange(const std::string& markerPath, int jobStatus, bool isWithoutMpi) {
    if (markerPath.empty() && !isWithoutMpi) return;
    static Arrangement* arranged = nullptr;    // never destroyed: exit() needs it last
    if (arranged != nullptr) return;
    arranged = new Arrangement{markerPath, jobStatus, isWithoutMpi, ::getpid()};
    platform::callAtExit(endProcess, arranged);
}

void ProcessEnd::now(int status, const std::string& markerPath) {
    flushAll();
    EndMarker::write(markerPath, visibleExitStatus(status));
    _exit(status);
}

void ProcessEnd::byForce(int status, const std::string& markerPath) {
    EndMarker::write(markerPath, visibleExitStatus(status));
    statusAtAlarm.store(status);
    limitBySignal();
    flushAll();
    _exit(status);
}

}    // namespace ferry::detail
