#pragma once

#include <deque>
#include <mutex>
#include <utility>

namespace ferry::detail {

/// Keeps buffers that MPI may still read from or write to, until the process ends: MPI_Finalize may come after the destructors of static
/// objects. Threads: any.
template <class T>
void keepForMpi(T kept) {
    static std::mutex mutex;
    static auto* const all = new std::deque<T>();
    const std::lock_guard lock(mutex);
    all->push_back(std::move(kept));
}

}    // namespace ferry::detail
