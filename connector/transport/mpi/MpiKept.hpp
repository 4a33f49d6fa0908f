#pragma once

#include <deque>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

namespace ferry::detail {

/// Keeps buffers that MPI may still read from or write to, until the process ends: MPI_Finalize may come after the destructors of static
/// objects. Threads: any.
template <class T>
void keepForMpi(T kept) noexcept {
    static_assert(std::is_nothrow_move_constructible_v<T>);
    /// Buffers that no destructor frees.
    union Unending {
        T buffers;
        explicit Unending(T&& taken) noexcept : buffers(std::move(taken)) {}
        ~Unending() {}
    };
    Unending unending(std::move(kept));
    try {
        static std::mutex mutex;
        static auto* const all = new std::deque<T>();
        const std::lock_guard lock(mutex);
        all->push_back(std::move(unending.buffers));
    } catch (const std::bad_alloc&) {
        return;    // the buffers stay where they are, and nothing points to them any more
    }
    unending.buffers.~T();
}

}    // namespace ferry::detail
