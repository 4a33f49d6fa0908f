#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ferry/serialization/checkpoint/FileDescriptor.hpp>

// The little of TCP that a watch needs. None is inherited by programs that are started, none raises SIGPIPE.
// Errors: std::system_error with the name of the call.

namespace ferry {

/// The hosts from which a listener can be reached.
enum class Reach { ThisHost, AllHosts };

/// Makes a listener on a port that the system chooses.
FileDescriptor listenOnAnyPort(std::uint16_t& port, Reach reach);

/// The next connection, not blocking; none when there is none.
std::optional<FileDescriptor> acceptNext(const FileDescriptor& listener);

/// The IPv4 addresses of this host but those of the loopback, at most so many.
std::vector<std::string> ownAddresses(std::size_t mostAddresses);

/// A connection, not blocking. Errors: also when it takes longer than that.
FileDescriptor connectTo(const std::string& address, std::uint16_t port, std::chrono::milliseconds limit);

/// A connection whose other end does not acknowledge what is sent counts as closed after so long.
void limitSilence(const FileDescriptor& connection, std::chrono::milliseconds limit);

/// Sends what has room at once; false when the connection is closed.
bool sendNow(const FileDescriptor& connection, std::span<const std::byte> bytes) noexcept;

/// What has arrived, up to the room: the number of bytes, 0 for nothing; none when the connection is closed.
std::optional<std::size_t> receiveNow(const FileDescriptor& connection, std::span<std::byte> room) noexcept;

/// Something that another thread's poll() can wait for.
FileDescriptor makeBell();
void ring(const FileDescriptor& bell) noexcept;
void silence(const FileDescriptor& bell) noexcept;

}    // namespace ferry
