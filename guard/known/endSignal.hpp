#pragma once

#include <atomic>
#include <cstdint>

namespace ferry::pmpi {

/// The signal that asks this process to end, such as SIGINT; 0: none. The guard of a whole program sets it in a handler, and the next call
/// of MPI that may end takes it.
extern std::atomic<int> endSignal __attribute__((visibility("hidden")));
/// For a signal that an interpreter handles as well, as soon as it goes on: the progress of the calls of MPI when the signal came. Only the
/// call of that time takes the signal. 0: any call does.
extern std::atomic<std::uint64_t> endSignalProgress __attribute__((visibility("hidden")));
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free,
              "a signal handler may use lock-free atomics only");

}    // namespace ferry::pmpi
