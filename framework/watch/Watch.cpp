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

namespace ferry::detail {

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
      bell_(makeBell()),
      rank_(rank) {
    greet(address);
    thread_ = deafThread([this] { run(); });
}

Watch::~Watch() { sayGoodbye(); }

void Watch::greet(const WatchAddress& address) {
    connection_ = connectToOneOf(address, settings_);
    limitSilence(connection_, longestUnacknowledged);
    sendNow(connection_, WatchHello{address.secret, rank_, static_cast<std::int32_t>(::getpid()), hostIdentity()}.bytes());
}

void Watch::sayGoodbye() noexcept {
    if (!thread_.joinable()) return;
    isOver_ = true;
    ring(bell_);
    thread_.join();
    if (watcher_) watcher_->sayGoodbye();
}

void Watch::sayExit(int status) noexcept {
    exitStatus_ = status;
    ring(bell_);
    constexpr int roundsAtMost = 200;    // the thread of the watch may look for another master, or may have ended
    for (int round = 0; round < roundsAtMost && exitStatus_ >= 0; ++round) ::usleep(1000);
}

void Watch::awaitGoodbyes(std::chrono::milliseconds limit) {
    if (watcher_) watcher_->awaitGoodbyes(limit);
}

std::optional<Loss> Watch::nextLoss() {
    std::optional<Loss> loss = losses_.nextLoss();
    Watcher* const watcher = takenOver_.load(std::memory_order_acquire);
    if (!loss && watcher != nullptr) loss = watcher->losses().nextLoss();
    return loss;
}

void Watch::run() {
    do {
        if (!watchMaster() || isOver_) return;
        loseMaster();
    } while (findNextMaster());
}

/// Shows signs of life until the watch is over or the connection is closed. False: the master has said goodbye.
bool Watch::watchMaster() {
    const int restMs = settings_.heartbeat.count() == 0 ? -1 : static_cast<int>(settings_.heartbeat.count());
    std::array<pollfd, 2> waited{{{connection_.number(), POLLIN, 0}, {bell_.number(), POLLIN, 0}}};
    bool hasSaidGoodbye = false;
    const auto isMasterThere = [&] {
        const std::optional<bool> isGoodbye = hearMaster();
        hasSaidGoodbye = hasSaidGoodbye || isGoodbye.value_or(false);
        return isGoodbye.has_value();
    };
    while (!isOver_) {
        // The last signs of the master are read before the connection counts as closed.
        if (!isMasterThere() || (!say(connection_, WatchSign::Alive) && !isMasterThere())) return !hasSaidGoodbye;
        tellExit();
        if (::poll(waited.data(), waited.size(), restMs) < 0 && errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "poll");
        silence(bell_);
    }
    say(connection_, WatchSign::Goodbye);
    return !hasSaidGoodbye;
}

void Watch::tellExit() noexcept {
    const int status = exitStatus_;
    if (status < 0) return;
    sendNow(connection_, std::array{static_cast<std::byte>(WatchSign::Exit), static_cast<std::byte>(status)});
    exitStatus_ = -1;
}

/// Reads the arrived signs. Returns whether the master says goodbye. Empty: the connection is closed.
std::optional<bool> Watch::hearMaster() {
    std::array<std::byte, 16> room{};
    const std::optional<std::size_t> count = receiveNow(connection_, room);
    if (!count) return std::nullopt;
    bool isGoodbye = false;
    for (const std::byte byte : std::span(room).first(*count)) {
        if (byte == static_cast<std::byte>(WatchSign::Goodbye)) isGoodbye = true;
        if (byte == static_cast<std::byte>(WatchSign::GivenUp) && !isOver_) ends_.onGivenUp();
    }
    return isGoodbye;
}

void Watch::loseMaster() {
    const Loss loss{master_, "was killed or has crashed (its connection is closed)"};
    if (isStarting_) ends_.onEarlyLoss(loss.text());
    losses_.add(loss);
}

/// Connects to the next rank that lives, or takes over where that is this one. False: this rank has no master any more.
bool Watch::findNextMaster() {
    if (!succeeds_) return false;
    const auto count = static_cast<int>(succession_.addresses.size());
    for (++master_; master_ < count && !isOver_; ++master_) {
        if (master_ == rank_) {
            takeOver();
            return false;
        }
        try {
            greet(succession_.addresses[static_cast<std::size_t>(master_)]);
            return true;
        } catch (const std::system_error&) {
            losses_.add({master_, "was killed or has crashed (it takes no connection)"});
        }
    }
    return false;
}

void Watch::takeOver() {
    watcher_ = std::make_unique<Watcher>(std::move(succession_), rank_, settings_);
    takenOver_.store(watcher_.get(), std::memory_order_release);
}

}    // namespace ferry::detail
