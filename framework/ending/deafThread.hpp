#pragma once

#include <functional>
#include <thread>

namespace ferry {

/// Starts a thread that takes no signals. Signals are for the threads of ranks, which a signal wakes from their rest.
std::thread deafThread(std::function<void()> function);

}    // namespace ferry
