#pragma once

#include <cstdint>
#include <vector>

#include <ferry/framework/watch/WatchAddress.hpp>
#include <ferry/framework/watch/WatchSecret.hpp>
#include <ferry/serialization/file/FileDescriptor.hpp>

namespace ferry::detail {

/// The addresses and the listener for the time after the loss of the master: the ranks after it take over the watch, the lowest first.
struct Succession {
    int rankCount = 0;
    std::vector<WatchAddress> addresses{};    ///< by rank, of the ranks that may take over; the first is not used
    FileDescriptor listener{};                ///< of this rank; not open: the rank never takes over
    std::uint16_t port = 0;
    WatchSecret secret{};
};

}    // namespace ferry::detail
