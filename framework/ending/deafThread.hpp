#pragma once

#include <functional>
#include <thread>

namespace ferry {

/// Starts a thread that takes no signals: they are for the threads of ranks, which they wake from their rest.
std::thread deafThread(std::function<void()> function);

}    // namespace ferry
