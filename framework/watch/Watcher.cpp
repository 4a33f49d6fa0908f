#include <ferry/framework/watch/Watcher.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/framework/ending/deafThread.hpp>
#include <ferry/framework/watch/Sockets.hpp>

namespace ferry::detail {

namespace {

// Limit of connections without a hello, beside the missing ranks. All connections together need far less than 1024 descriptors.
constexpr std::size_t mostStrangers = 64;
constexpr std::chrono::seconds mostTimeOfStranger{2};

/// The time that the watcher rests when no event comes.
std::chrono::milliseconds restFor(const WatchSettings& settings) {
    constexpr std::chrono::milliseconds usual{100};
    return settings.heartbeat.count() == 0 ? usual : std::max(settings.heartbeat / 2, std::chrono::milliseconds(1));
}

}    // namespace

Watcher::Watcher(int rankCount, const WatchSettings& settings, std::function<void(const std::string&)> onEarlyLoss)
    : settings_(settings),
      onEarlyLoss_(std::move(onEarlyLoss)),
      secret_(makeWatchSecret()),
      host_(hostIdentity()),
      firstRank_(1),
      listener_(listenOnAnyPort(port_, settings.areAllOnOneHost ? Reach::ThisHost : Reach::AllHosts)),
      bell_(makeBell()),
      roster_{rankCount, 0, std::chrono::steady_clock::now()},
      openCount_(static_cast<std::size_t>(rankCount - 1)),
      thread_(deafThread([this] { run(); })) {}

Watcher::Watcher(Succession succession, int rank, const WatchSettings& settings)
    : settings_(settings),
      secret_(succession.secret),
      host_(hostIdentity()),
      firstRank_(rank + 1),
      port_(succession.port),
      listener_(std::move(succession.listener)),
      bell_(makeBell()),
      roster_{succession.rankCount, succession.rankCount, std::chrono::steady_clock::now()},
      openCount_(static_cast<std::size_t>(succession.rankCount - rank - 1)),
      thread_(deafThread([this] { run(); })) {}

Watcher::~Watcher() {
    isOver_ = true;
    isEnding_ = true;
    ring(bell_);
    thread_.join();
}

WatchAddress Watcher::address() const { return {port_, secret_, host_, ownAddresses(mostAddresses)}; }

void Watcher::endStart() {
    const std::lock_guard lock(mutex_);
    roster_.startingFrom = roster_.rankCount;
}

void Watcher::expect(int count) {
    FileDescriptor listener = listenOnAnyPort(port_, settings_.areJoinersOnThisHost ? Reach::ThisHost : Reach::AllHosts);
    {
        const std::lock_guard lock(mutex_);
        nextListener_ = std::move(listener);
        roster_ = {roster_.rankCount + count, roster_.rankCount, std::chrono::steady_clock::now()};
        openCount_ += static_cast<std::size_t>(count);
    }
    ring(bell_);
}

void Watcher::expectNoMore(int count) {
    const std::lock_guard lock(mutex_);
    roster_.rankCount -= count;
    openCount_ -= static_cast<std::size_t>(count);
}

Watcher::Roster Watcher::roster() const {
    const std::lock_guard lock(mutex_);
    return roster_;
}

void Watcher::takeListener() {
    const std::lock_guard lock(mutex_);
    if (nextListener_.isOpen()) listener_ = std::move(nextListener_);
}

void Watcher::giveUp(const Loss& loss) {
    {
        const std::lock_guard lock(mutex_);
        givenUp_.push_back(loss);
    }
    ring(bell_);
}

void Watcher::sayGoodbye() noexcept {
    isOver_ = true;
    ring(bell_);
}

void Watcher::awaitGoodbyes(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    isAnyGone_.wait_for(lock, limit, [this] { return openCount_ == 0; });
}

void Watcher::run() {
    const int restMs = static_cast<int>(restFor(settings_).count());
    while (!isEnding_) {
        std::vector<pollfd> waited = waitedFor();
        if (::poll(waited.data(), waited.size(), restMs) < 0 && errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "poll");
        silence(bell_);
        takeListener();
        acceptAll();
        hearStrangers();
        hearLinks();
        const TimePoint now = std::chrono::steady_clock::now();
        judgeLinks(now);
        giveUpLinks();
        requireAllConnected(now);
        if (isOver_ && !std::exchange(hasSaidGoodbye_, true)) {
            for (WatchedLink& link : links_) link.say(WatchSign::Goodbye);
        }
        countOpen();
    }
}

std::vector<pollfd> Watcher::waitedFor() const {
    std::vector<pollfd> waited{{bell_.number(), POLLIN, 0}};
    const bool isListening = listener_.isOpen() && std::chrono::steady_clock::now() >= listenAgainAt_;
    if (isListening) waited.push_back({listener_.number(), POLLIN, 0});
    for (const Stranger& stranger : strangers_) waited.push_back({stranger.connection.number(), POLLIN, 0});
    for (const WatchedLink& link : links_) {
        if (link.state() == WatchedLink::State::Open) waited.push_back({link.connection().number(), POLLIN, 0});
    }
    return waited;
}

/// Accepts connections. The number and the time of strangers are limited: the oldest one is closed first. One call accepts a limited
/// number, so that links are read in time, too. Without a descriptor for the next connection, a stranger is closed for it.
void Watcher::acceptAll() {
    const std::size_t room = missingCount() + mostStrangers;
    for (std::size_t i = 0; i < room && listener_.isOpen(); ++i) {
        Accepted next = acceptNext(listener_);
        if (next.connection) {
            if (strangers_.size() >= room) makeRoom(room);
            strangers_.push_back({std::move(*next.connection), std::chrono::steady_clock::now()});
        } else if (next.lacksDescriptors && !strangers_.empty()) {
            makeRoom(strangers_.size());
        } else {
            listenAgainAt_ = next.lacksDescriptors ? std::chrono::steady_clock::now() + restFor(settings_) : TimePoint();
            return;
        }
    }
}

/// Lets the number of strangers become smaller than `most`. Strangers that have sent their hello meanwhile leave the list. If none has, the
/// oldest one is closed.
void Watcher::makeRoom(std::size_t most) {
    hearStrangers();
    if (strangers_.size() >= most) strangers_.pop_front();
}

std::size_t Watcher::missingCount() const {
    const std::size_t connected = links_.size() + static_cast<std::size_t>(firstRank_);
    const auto expected = static_cast<std::size_t>(roster().rankCount);
    return expected > connected ? expected - connected : 0;
}

void Watcher::hearStrangers() {
    const TimePoint now = std::chrono::steady_clock::now();
    strangers_.remove_if([this](Stranger& stranger) { return hear(stranger); });
    // While all strangers may be slow slaves, none is closed.
    while (strangers_.size() > missingCount() && now - strangers_.front().since > mostTimeOfStranger) strangers_.pop_front();
    if (listener_.isOpen() && missingCount() == 0) {
        listener_ = FileDescriptor();    // all slaves are connected
        strangers_.clear();
    }
}

/// Reads the hello of a stranger. True: the stranger has become a slave's link or is refused.
bool Watcher::hear(Stranger& stranger) {
    std::array<std::byte, WatchHello::sizeBytes> room{};
    const std::size_t missing = WatchHello::sizeBytes - stranger.received.size();
    const std::optional<std::size_t> count = receiveNow(stranger.connection, std::span(room).first(missing));
    if (!count) return true;
    stranger.received.insert(stranger.received.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(*count));
    if (stranger.received.size() < WatchHello::sizeBytes) return false;
    const std::optional<WatchHello> hello = WatchHello::read(stranger.received, secret_, roster().rankCount);
    if (hello && !isConnected(hello->rank))
        links_.emplace_back(std::move(stranger.connection), *hello, hello->host == host_, settings_.silenceLimit());
    return true;
}

bool Watcher::isConnected(int rank) const {
    return std::any_of(links_.begin(), links_.end(), [rank](const WatchedLink& link) { return link.rank() == rank; });
}

void Watcher::hearLinks() {
    for (WatchedLink& link : links_) {
        if (link.state() != WatchedLink::State::Open) continue;
        if (const std::optional<Loss> loss = link.read()) lose(*loss);
    }
}

void Watcher::judgeLinks(TimePoint now) {
    const auto planned = restFor(settings_);
    for (WatchedLink& link : links_) {
        if (const std::optional<std::string> reason = link.judge(now, planned)) lose({link.rank(), *reason});
    }
}

void Watcher::giveUpLinks() {
    std::vector<Loss> losses;
    {
        const std::lock_guard lock(mutex_);
        losses.swap(givenUp_);
    }
    for (const Loss& loss : losses) {
        const auto link = std::find_if(links_.begin(), links_.end(), [&loss](const WatchedLink& each) { return each.rank() == loss.rank; });
        if (link == links_.end() || link->state() != WatchedLink::State::Open) continue;
        link->giveUp();
        lose(loss);
    }
}

void Watcher::lose(const Loss& loss) {
    if (isOver_) return;
    if (loss.rank >= roster().startingFrom) onEarlyLoss_(loss.text());
    losses_.add(loss);
}

/// Reports slaves that have not connected in time. A slave that died before it connected is noticed only here.
void Watcher::requireAllConnected(TimePoint now) {
    const Roster expected = roster();
    if (!listener_.isOpen() || now - expected.begin < settings_.connectLimit || isOver_) return;
    std::vector<int> missing;
    for (int rank = firstRank_; rank < expected.rankCount; ++rank) {
        if (!isConnected(rank)) missing.push_back(rank);
    }
    if (!onEarlyLoss_) return loseMissing(missing);
    onEarlyLoss_(
        fmt::format("rank {} did not connect to the watch within {} ms", fmt::join(missing, ", "), settings_.connectLimit.count()));
}

/// Counts the missing ranks as lost. From now on no rank can connect.
void Watcher::loseMissing(const std::vector<int>& missing) {
    for (const int rank : missing) losses_.add({rank, fmt::format("did not connect to the watch of rank {}", firstRank_ - 1)});
    missingLost_ = missing.size();
    listener_ = FileDescriptor();
    strangers_.clear();
}

void Watcher::countOpen() {
    const auto gone = static_cast<std::ptrdiff_t>(missingLost_) + std::count_if(links_.begin(), links_.end(), [](const WatchedLink& link) {
                          return link.state() != WatchedLink::State::Open;
                      });
    const std::lock_guard lock(mutex_);
    openCount_ = static_cast<std::size_t>(roster_.rankCount - firstRank_ - gone);
    if (openCount_ == 0) isAnyGone_.notify_all();
}

}    // namespace ferry::detail
