#include <ferry/framework/watch/Sockets.hpp>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>

#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

[[noreturn]] void failCall(const char* call, int error = errno) { throw std::system_error(error, std::generic_category(), call); }

template <class Number>
void setOption(const FileDescriptor& socket, int level, int option, Number value, const char* name) {
    if (setsockopt(socket.number(), level, option, &value, sizeof(value)) != 0) failCall(name);
}

FileDescriptor makeSocket() {
    FileDescriptor made(platform::makeSocket());
    if (!made.isOpen()) failCall("socket");
    return made;
}

void sendWithoutDelay(const FileDescriptor& connection) { setOption(connection, IPPROTO_TCP, TCP_NODELAY, 1, "setsockopt(TCP_NODELAY)"); }

/// Waits until the connection is established.
void awaitConnection(const FileDescriptor& connection, std::chrono::milliseconds limit) {
    pollfd waited{connection.number(), POLLOUT, 0};
    int count = 0;
    do {
        count = ::poll(&waited, 1, static_cast<int>(limit.count()));
    } while (count < 0 && errno == EINTR);
    if (count < 0) failCall("poll");
    if (count == 0) failCall("connect", ETIMEDOUT);
    int error = 0;
    socklen_t size = sizeof(error);
    if (getsockopt(connection.number(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) failCall("getsockopt(SO_ERROR)");
    if (error != 0) failCall("connect", error);
}

}    // namespace

FileDescriptor listenOnAnyPort(std::uint16_t& port, Reach reach) {
    constexpr int mostWaiting = 1024;
    FileDescriptor listener = makeSocket();
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(reach == Reach::ThisHost ? INADDR_LOOPBACK : INADDR_ANY);
    socklen_t size = sizeof(address);
    if (::bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), size) != 0) failCall("bind");
    if (::listen(listener.number(), mostWaiting) != 0) failCall("listen");
    if (::getsockname(listener.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0) failCall("getsockname");
    port = ntohs(address.sin_port);
    return listener;
}

Accepted acceptNext(const FileDescriptor& listener) {
    for (;;) {
        FileDescriptor connection(platform::acceptConnection(listener.number()));
        if (connection.isOpen()) {
            sendWithoutDelay(connection);
            return {std::move(connection), false};
        }
        if (errno == EINTR || errno == ECONNABORTED) continue;
        return {std::nullopt, errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM};
    }
}

std::vector<std::string> ownAddresses(std::size_t mostAddresses) {
    ifaddrs* first = nullptr;
    if (::getifaddrs(&first) != 0) failCall("getifaddrs");
    const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> all(first, ::freeifaddrs);
    std::vector<std::string> addresses;
    for (const ifaddrs* one = first; one != nullptr && addresses.size() < mostAddresses; one = one->ifa_next) {
        if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
        const in_addr address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr;
        constexpr std::uint32_t loopback = 127;
        if (ntohl(address.s_addr) >> 24 == loopback) continue;
        std::array<char, INET_ADDRSTRLEN> text{};
        if (::inet_ntop(AF_INET, &address, text.data(), text.size()) != nullptr) addresses.emplace_back(text.data());
    }
    return addresses;
}

FileDescriptor connectTo(const std::string& address, std::uint16_t port, std::chrono::milliseconds limit) {
    FileDescriptor connection = makeSocket();
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    if (::inet_pton(AF_INET, address.c_str(), &to.sin_addr) != 1) failCall("inet_pton", EINVAL);
    if (::connect(connection.number(), reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0) {
        if (errno != EINPROGRESS && errno != EINTR) failCall("connect");
        awaitConnection(connection, limit);
    }
    sendWithoutDelay(connection);
    return connection;
}

void limitSilence(const FileDescriptor& connection, std::chrono::milliseconds limit) {
    if (!platform::limitSilence(connection.number(), static_cast<unsigned>(limit.count()))) failCall("setsockopt(TCP_USER_TIMEOUT)");
}

bool sendNow(const FileDescriptor& connection, std::span<const std::byte> bytes) noexcept {
    for (;;) {
        const ssize_t count = platform::sendWithoutSignal(connection.number(), bytes);
        if (count >= 0) return true;
        if (errno != EINTR) return errno == EAGAIN || errno == EWOULDBLOCK;
    }
}

std::optional<std::size_t> receiveNow(const FileDescriptor& connection, std::span<std::byte> room) noexcept {
    for (;;) {
        const ssize_t count = ::recv(connection.number(), room.data(), room.size(), MSG_DONTWAIT);
        if (count > 0) return static_cast<std::size_t>(count);
        if (count == 0) return std::nullopt;
        if (errno == EINTR) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
        return std::nullopt;
    }
}

FileDescriptor makeBell() {
    FileDescriptor bell(platform::makeBell());
    if (!bell.isOpen()) failCall("making a bell");
    return bell;
}

void ring(const FileDescriptor& bell) noexcept { platform::ringBell(bell.number()); }

void silence(const FileDescriptor& bell) noexcept { platform::silenceBell(bell.number()); }

}    // namespace ferry::detail
