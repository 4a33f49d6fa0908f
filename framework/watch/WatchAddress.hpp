#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ferry/framework/watch/WatchSecret.hpp>

namespace ferry {

/// Where the slaves of a job reach its watcher, as text that the master gives them when the job starts.
struct WatchAddress {
    std::uint16_t port = 0;
    WatchSecret secret{};
    std::uint64_t host = 0;                  ///< hostIdentity() of the master
    std::vector<std::string> addresses{};    ///< of its host, IPv4

    /// Words with spaces between: port, secret and host as hexadecimal digits, and the addresses.
    std::string text() const;
    /// Errors: UsageError for a text that is no such address.
    static WatchAddress fromText(const std::string& text);
};

}    // namespace ferry
