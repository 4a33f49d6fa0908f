#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ferry/framework/watch/WatchSecret.hpp>

namespace ferry::detail {

/// The address at which the slaves of a job reach its watcher. The master gives them its text when the job starts.
struct WatchAddress {
    std::uint16_t port = 0;
    WatchSecret secret{};
    std::uint64_t host = 0;                  ///< hostIdentity() of the master
    std::vector<std::string> addresses{};    ///< IPv4 addresses of the master's host

    /// Words separated by spaces: port, secret and host as hexadecimal digits, then the addresses.
    std::string text() const;
    /// Errors: UsageError for a text that is no such address.
    static WatchAddress fromText(const std::string& text);
};

}    // namespace ferry::detail
