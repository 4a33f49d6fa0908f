#include <ferry/framework/watch/Watch.hpp>

#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <ferry/framework/ending/deafThread.hpp>
#include <ferry/framework/watch/ProcessState.hpp>
#include <ferry/framework/watch/Sockets.hpp>
#include <ferry/framework/watch/WatchHello.hpp>
#include <ferry/framework/watch/WatchSign.hpp>

namespace ferry {

namespace {

// A busy master's host still acknowledges bytes. A host that does not for this time is cut off from the network.
constexpr std::chrono::milliseconds longestUnacknowledged{30'000};

FileDescriptor connectToOneOf(const WatchAddress& address, const WatchSettings& settings) {
    const bool isSameHost = address.host == hostIdentity();
    const std::vector<std::string> candidates = isSameHost ? std::vector<std::string>{"127.0.0.1"} : address.addresses;
    const auto limit = settings.connectLimit / (2 * std::max<std::ptrdiff_t>(std::ssize(candidates), 1));
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        try {
            return connectTo(candidates[i], address.port, limit);
        } catch (const std::system_error&) {
            if (i + 1 == candidates.size()) throw;
        }
    }
    throw std::system_error(EADDRNOTAVAIL, std::generic_category(), "the master has no address");
}

bool say(const FileDescriptor& connection, WatchSign sign) noexcept {
    return sendNow(connection, std::array{static_cast<std::byte>(sign)});
}

}    // namespace

Watch::Watch(const WatchAddress& address, int rank, const WatchSettings& settings, Ends ends)
    : settings_(settings),
      ends_(std::move(ends)),
      connection_(connectToOneOf(address, settings)),
      bell_(makeBell()) {
    limitSilence(connection_, longestUnacknowledged);
    sendNow(connection_, WatchHello{address.secret, rank, static_cast<std::int32_t>(::getpid()), hostIdentity()}.bytes());
    thread_ = deafThread([this] { run(); });
}

Watch::~Watch() { sayGoodbye(); }

void Watch::sayGoodbye() noexcept {
    if (!thread_.joinable()) return;
    isOver_ = true;
    ring(bell_);
    thread_.join();
}

void Watch::run() {
    const int restMs = settings_.heartbeat.count() == 0 ? -1 : static_cast<int>(settings_.heartbeat.count());
    std::array<pollfd, 2> waited{{{connection_.number(), POLLIN, 0}, {bell_.number(), POLLIN, 0}}};
    while (!isOver_) {
        // The last signs of the master are read before the connection counts as closed.
        if (!isMasterThere() || (!say(connection_, WatchSign::Alive) && !isMasterThere())) {
            if (!hasMasterSaidGoodbye_ && !isOver_) loseMaster();
            return;
        }
        if (::poll(waited.data(), waited.size(), restMs) < 0 && errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "poll");
    }
    say(connection_, WatchSign::Goodbye);
}

/// Reads the arrived signs. False: the connection is closed.
bool Watch::isMasterThere() {
    std::array<std::byte, 16> room{};
    const std::optional<std::size_t> count = receiveNow(connection_, room);
    if (!count) return false;
    for (const std::byte byte : std::span(room).first(*count)) {
        if (byte == static_cast<std::byte>(WatchSign::Goodbye)) hasMasterSaidGoodbye_ = true;
        if (byte == static_cast<std::byte>(WatchSign::GivenUp) && !isOver_) ends_.onGivenUp();
    }
    return true;
}

void Watch::loseMaster() {
    const Loss loss{0, "was killed or has crashed (its connection is closed)"};
    if (isStarting_) ends_.onEarlyLoss(loss.text());
    losses_.add(loss);
}

}    // namespace ferry
