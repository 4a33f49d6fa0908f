#include <ferry/framework/ending/deafThread.hpp>

#include <csignal>
#include <utility>

namespace ferry {

std::thread deafThread(std::function<void()> function) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread thread(std::move(function));    // has the signal mask of its creator
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

}    // namespace ferry
