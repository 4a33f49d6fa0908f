#include <ferry/framework/ending/ExitHooks.hpp>

#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/LastWords.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

// exit() and terminate() call back without an object: the handlers find the listener through these variables only.
std::atomic<ExitListener*> listenerNow{nullptr};
std::atomic<std::terminate_handler> previousHandler{nullptr};
std::atomic<pid_t> listenersProcess{0};

/// The listener. Null in a forked child process: the listener's ranks belong to the parent.
ExitListener* listenerHere() { return getpid() == listenersProcess.load() ? listenerNow.load() : nullptr; }

/// The exceptions on this thread. The last exception may come from a destructor and hide the cause.
std::vector<std::exception_ptr> exceptionsHere() {
    std::vector<std::exception_ptr> exceptions = throwsUnderWay();
    const std::exception_ptr last = std::current_exception();
    if (last && std::find(exceptions.begin(), exceptions.end(), last) == exceptions.end()) exceptions.push_back(last);
    return exceptions;
}

void handleExit(int status, void*) {
    ExitListener* const listener = listenerHere();
    if (listener == nullptr) return;
    std::vector<std::exception_ptr> exceptions;
    ifMemory([&exceptions] { exceptions = exceptionsHere(); });
    listener->exitCalled(status, exceptions);
}

[[noreturn]] void handleTerminate() {
    const std::exception_ptr failure = std::current_exception();
    try {
        if (ExitListener* listener = listenerHere()) listener->terminateCalled(exceptionsHere());
    } catch (...) {
        // An exception that leaves this function would end the process without a message.
        LastWords::say(rankOfThisThread(), "std::terminate() was called, and there is no memory for an orderly end", failure);
        _exit(exitStatus::exception);
    }
    if (const std::terminate_handler previous = previousHandler.load()) previous();
    std::abort();
}

void handleQuickExit(void*, int status) {
    if (ExitListener* listener = listenerHere()) listener->quickExitCalled(status);
}

}    // namespace

bool ExitHooks::areTaken() noexcept { return listenerNow.load() != nullptr; }

ExitHooks::ExitHooks(ExitListener& listener) : previous_(std::set_terminate(handleTerminate)) {
    previousHandler.store(previous_);
    listenersProcess.store(getpid());
    listenerNow.store(&listener);
    static const bool isQuickExitHooked = platform::callAtQuickExit(handleQuickExit);
    static_cast<void>(isQuickExitHooked);
    renew(1);
}

int ExitHooks::noteExitAtOnce(int status) noexcept {
    ExitListener* const listener = listenerHere();
    return listener != nullptr ? listener->exitAtOnceCalled(status) : status;
}

bool ExitHooks::isForked() noexcept { return getpid() != listenersProcess.load(); }

void ExitHooks::renew(int calls) {
    for (int call = 0; call < calls; ++call) platform::callAtExit(handleExit, nullptr);
}

void ExitHooks::release() noexcept {
    if (std::exchange(isReleased_, true)) return;
    listenerNow.store(nullptr);
    if (std::get_terminate() == handleTerminate) std::set_terminate(previous_);
}

}    // namespace ferry::detail
