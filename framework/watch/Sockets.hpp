#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ferry/serialization/file/FileDescriptor.hpp>

// The part of TCP that a watch needs. Started programs inherit no descriptor, and no call raises SIGPIPE.
// Errors: std::system_error with the name of the call.

namespace ferry::detail {

/// The hosts from which a listener can be reached.
enum class Reach { ThisHost, AllHosts };

/// Makes a listener on a port that the system chooses.
FileDescriptor listenOnAnyPort(std::uint16_t& port, Reach reach);

/// A connection that was taken, or the reason why none was.
struct Accepted {
    std::optional<FileDescriptor> connection;    ///< non-blocking; empty: none was taken
    bool lacksDescriptors = false;               ///< one is waiting, but the process or the system has no descriptor or memory left
};
/// Takes the next connection.
Accepted acceptNext(const FileDescriptor& listener);

/// The IPv4 addresses of this host without the loopback, at most mostAddresses.
std::vector<std::string> ownAddresses(std::size_t mostAddresses);

/// Opens a connection, non-blocking. Errors: also when connecting takes longer than the limit.
FileDescriptor connectTo(const std::string& address, std::uint16_t port, std::chrono::milliseconds limit);

/// Sets the time after which a connection counts as closed when its other end does not acknowledge sent bytes.
void limitSilence(const FileDescriptor& connection, std::chrono::milliseconds limit);

/// Sends the bytes that the system's buffer takes at once. False: the connection is closed.
bool sendNow(const FileDescriptor& connection, std::span<const std::byte> bytes) noexcept;

/// Receives arrived bytes, up to the size of `room`. Returns the number of bytes, 0 if there are none. Empty: the connection is closed.
std::optional<std::size_t> receiveNow(const FileDescriptor& connection, std::span<std::byte> room) noexcept;

/// Makes a file that poll() of another thread sees as readable from ring() to silence().
FileDescriptor makeBell();
void ring(const FileDescriptor& bell) noexcept;
void silence(const FileDescriptor& bell) noexcept;

}    // namespace ferry::detail
