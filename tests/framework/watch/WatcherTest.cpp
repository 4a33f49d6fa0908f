#include <ferry/framework/watch/Watcher.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <ferry/framework/watch/Sockets.hpp>
#include <ferry/framework/watch/Watch.hpp>
#include <ferry/framework/watch/WatchHello.hpp>
#include <ferry/framework/watch/WatchSign.hpp>

using namespace ferry;
using namespace std::chrono_literals;

namespace watchertest {

constexpr std::uint64_t elsewhere = 1;    // a host that cannot be asked for its processes

detail::WatchSettings fast() { return {.heartbeat = 20ms, .connectLimit = 20'000ms}; }

std::unique_ptr<detail::Watcher> makeWatcher(int rankCount, const detail::WatchSettings& settings = fast()) {
    auto watcher = std::make_unique<detail::Watcher>(rankCount, settings, [](const std::string& text) { FAIL(text); });
    watcher->endStart();
    return watcher;
}

std::unique_ptr<detail::Watch> makeWatch(const detail::Watcher& watcher, int rank) {
    auto watch = std::make_unique<detail::Watch>(
        watcher.address(), rank, fast(), detail::Watch::Ends{[](const std::string& text) { FAIL(text); }, [] { FAIL("given up"); }});
    watch->endStart();
    return watch;
}

/// Connects as a slave. The test sends the signs of life of this slave itself.
detail::FileDescriptor connectAs(const detail::Watcher& watcher, int rank, const detail::WatchSecret& secret, int process = 1,
                                 std::uint64_t host = elsewhere) {
    detail::FileDescriptor connection = detail::connectTo("127.0.0.1", watcher.address().port, 10s);
    detail::sendNow(connection, detail::WatchHello{secret, rank, process, host}.bytes());
    return connection;
}

/// A process that has ended. The system keeps its entry until the process is waited for.
class EndedProcess {
public:
    EndedProcess() : number_(::fork()) {
        if (number_ == 0) ::_exit(0);
        REQUIRE(number_ > 0);
    }
    EndedProcess(const EndedProcess&) = delete;
    EndedProcess& operator=(const EndedProcess&) = delete;
    ~EndedProcess() { ::waitpid(number_, nullptr, 0); }
    int number() const { return number_; }

private:
    pid_t number_;
};

/// Leaves the process one descriptor more, while the object lives. A descriptor that another thread closes meanwhile is free again.
class OneDescriptorLeft {
public:
    OneDescriptorLeft() {
        REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
        int highest = 0;
        for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
            highest = std::max(highest, std::stoi(entry.path().filename().string()));
        const rlimit low{static_cast<rlim_t>(highest) + 2, before_.rlim_max};
        REQUIRE(::setrlimit(RLIMIT_NOFILE, &low) == 0);
        for (int each = ::dup(STDIN_FILENO); each >= 0; each = ::dup(STDIN_FILENO)) fillers_.emplace_back(each);
        REQUIRE(!fillers_.empty());
        fillers_.pop_back();
    }
    OneDescriptorLeft(const OneDescriptorLeft&) = delete;
    OneDescriptorLeft& operator=(const OneDescriptorLeft&) = delete;
    ~OneDescriptorLeft() { ::setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_{};
    std::vector<detail::FileDescriptor> fillers_;
};

/// A rank of which the test itself plays the listener.
struct RawRank {
    std::uint16_t port = 0;
    detail::WatchSecret secret = detail::makeWatchSecret();
    detail::FileDescriptor listener = detail::listenOnAnyPort(port, detail::Reach::ThisHost);
    std::vector<detail::FileDescriptor> connections{};

    detail::WatchAddress address() const { return {port, secret, detail::hostIdentity(), {}}; }
    void awaitConnection() {
        for (std::optional<detail::FileDescriptor> connection; !connection;) {
            connection = detail::acceptNext(listener).connection;
            if (connection) connections.push_back(std::move(*connection));
        }
    }
};

/// Waits for a loss. When there is none, the timeout of the program ends the wait.
detail::Loss awaitLoss(detail::LossSource& source) {
    for (;;) {
        if (std::optional<detail::Loss> loss = source.nextLoss()) return *loss;
        std::this_thread::yield();
    }
}

/// Reads until the other end is closed. Returns the last byte.
std::byte lastByteOf(const detail::FileDescriptor& connection) {
    std::array<std::byte, 64> room{};
    for (std::byte last{};;) {
        const std::optional<std::size_t> count = detail::receiveNow(connection, room);
        if (!count) return last;
        if (*count > 0) last = room[*count - 1];
        std::this_thread::yield();
    }
}

}    // namespace watchertest

using namespace watchertest;

TEST_CASE("Watcher: a slave whose connection is closed is lost, and only that one") {
    const auto watcher = makeWatcher(3);
    const auto first = makeWatch(*watcher, 1);
    { const detail::FileDescriptor second = connectAs(*watcher, 2, watcher->address().secret); }
    const detail::Loss loss = awaitLoss(watcher->losses());
    CHECK(loss.rank == 2);
    CHECK(loss.text() == "rank 2 was killed or has crashed (its connection is closed)");
    CHECK_FALSE(watcher->losses().nextLoss());
}

TEST_CASE("Watcher: a slave that is silent for too long is lost, and told so; one that gives signs of life is not") {
    const auto watcher = makeWatcher(3);
    const auto living = makeWatch(*watcher, 1);
    const detail::FileDescriptor silent = connectAs(*watcher, 2, watcher->address().secret);
    const detail::Loss loss = awaitLoss(watcher->losses());
    CHECK(loss.rank == 2);
    CHECK(loss.reason.substr(0, 29) == "has given no sign of life for");
    std::array<std::byte, 1> sign{};
    while (detail::receiveNow(silent, sign) == 0U) std::this_thread::yield();
    CHECK(sign[0] == static_cast<std::byte>(detail::WatchSign::GivenUp));
    CHECK_FALSE(watcher->losses().nextLoss());
}

TEST_CASE("Watcher: a slave that is given up is lost for the reason that is told, and told so; one that is lost already is lost once") {
    const auto watcher = makeWatcher(3);
    std::atomic<bool> isGivenUp{false};
    detail::Watch living(watcher->address(), 1, fast(), {[](const std::string& text) { FAIL(text); }, [&isGivenUp] { isGivenUp = true; }});
    living.endStart();
    { const detail::FileDescriptor second = connectAs(*watcher, 2, watcher->address().secret); }
    CHECK(awaitLoss(watcher->losses()).rank == 2);
    watcher->giveUp({2, "waits in MPI"});
    for (bool isTold = false; !isTold;) {    // the link of the slave may be younger than the first call
        watcher->giveUp({1, "waits in MPI"});
        if (const std::optional<detail::Loss> loss = watcher->losses().nextLoss()) {
            CHECK(loss->text() == "rank 1 waits in MPI");
            isTold = true;
        }
    }
    while (!isGivenUp) std::this_thread::yield();
    watcher->giveUp({1, "waits in MPI"});
    CHECK_FALSE(watcher->losses().nextLoss());
}

TEST_CASE("Watcher: a slave whose process has ended, while its connection is not closed yet, is lost by its end and not by its silence") {
    const auto watcher = makeWatcher(2);
    const EndedProcess ended;
    const detail::FileDescriptor connection = connectAs(*watcher, 1, watcher->address().secret, ended.number(), watcher->address().host);
    CHECK(awaitLoss(watcher->losses()).text() == "rank 1 was killed or has crashed (its process has ended)");
}

TEST_CASE("Watcher: without signs of life only a closed connection counts") {
    const auto watcher = makeWatcher(2, {.heartbeat = 0ms, .connectLimit = 20'000ms});
    { const detail::FileDescriptor connection = connectAs(*watcher, 1, watcher->address().secret); }
    CHECK(awaitLoss(watcher->losses()).rank == 1);
}

TEST_CASE("Watcher: whoever does not know the secret is no slave") {
    const auto watcher = makeWatcher(2);
    const detail::FileDescriptor stranger = connectAs(*watcher, 1, detail::makeWatchSecret());
    CHECK(lastByteOf(stranger) == std::byte{});    // the watcher closes the connection without an answer
    const auto slave = makeWatch(*watcher, 1);
    slave->sayGoodbye();
    watcher->awaitGoodbyes(20s);
    CHECK_FALSE(watcher->losses().nextLoss());
}

TEST_CASE("Watcher: among many silent connections the oldest are closed, and each slave still gets in") {
    const auto watcher = makeWatcher(3);
    const auto first = makeWatch(*watcher, 1);
    std::vector<detail::FileDescriptor> strangers;
    for (int i = 0; i < 300; ++i) strangers.push_back(detail::connectTo("127.0.0.1", watcher->address().port, 10s));
    CHECK(lastByteOf(strangers.front()) == std::byte{});    // the oldest connection is closed, though a slave is still missing
    { const detail::FileDescriptor second = connectAs(*watcher, 2, watcher->address().secret); }
    CHECK(awaitLoss(watcher->losses()).rank == 2);    // the watcher knew the slave
}

TEST_CASE("Watcher: strangers that hold the last descriptors do not keep a slave out") {
    const auto watcher = makeWatcher(20);
    std::vector<detail::FileDescriptor> strangers;    // fewer than the missing slaves, so that they may be slow slaves
    for (int i = 0; i < 8; ++i) strangers.push_back(detail::connectTo("127.0.0.1", watcher->address().port, 10s));
    strangers.push_back(connectAs(*watcher, 1, detail::makeWatchSecret()));
    CHECK(lastByteOf(strangers.back()) == std::byte{});    // so the watcher has accepted all
    strangers.pop_back();
    const OneDescriptorLeft limit;
    const detail::FileDescriptor slave = connectAs(*watcher, 1, watcher->address().secret);
    REQUIRE(::shutdown(slave.number(), SHUT_WR) == 0);    // closed for the watcher, and its descriptor stays in use
    CHECK(awaitLoss(watcher->losses()).text() == "rank 1 was killed or has crashed (its connection is closed)");
}

TEST_CASE("Watcher: after a goodbye no end is a loss, on either side") {
    auto watcher = makeWatcher(3);
    const auto first = makeWatch(*watcher, 1);
    auto second = makeWatch(*watcher, 2);
    second->sayGoodbye();
    second.reset();
    watcher->sayGoodbye();
    watcher->awaitGoodbyes(0ms);
    first->sayGoodbye();
    watcher->awaitGoodbyes(20s);
    CHECK_FALSE(watcher->losses().nextLoss());
    watcher.reset();
    CHECK_FALSE(first->losses().nextLoss());
}

TEST_CASE("Watch: a master that goes without a goodbye is lost") {
    std::uint16_t port = 0;
    const detail::WatchSecret secret = detail::makeWatchSecret();
    detail::FileDescriptor listener = detail::listenOnAnyPort(port, detail::Reach::ThisHost);
    detail::Watch watch({port, secret, detail::hostIdentity(), {}}, 1, fast(),
                        {[](const std::string& text) { FAIL(text); }, [] { FAIL("given up"); }});
    watch.endStart();
    std::optional<detail::FileDescriptor> connection;
    while (!connection) connection = detail::acceptNext(listener).connection;
    connection.reset();
    CHECK(awaitLoss(watch.losses()).rank == 0);
}

TEST_CASE("Watch: after the loss of the master the next rank that lives watches the others") {
    RawRank master;
    RawRank first;
    RawRank second;
    detail::Watch ofSecond(master.address(), 2, fast(),
                           detail::Watch::Ends{[](const std::string& text) { FAIL(text); }, [] { FAIL("given up"); }});
    detail::Watch ofThird(master.address(), 3, fast(),
                          detail::Watch::Ends{[](const std::string& text) { FAIL(text); }, [] { FAIL("given up"); }});
    const std::vector<detail::WatchAddress> addresses{detail::WatchAddress(), first.address(), second.address()};
    first.listener = detail::FileDescriptor();    // rank 1 is dead, too
    const detail::WatchAddress addressOfSecond = second.address();
    ofSecond.prepareSuccession({4, addresses, std::move(second.listener), addressOfSecond.port, addressOfSecond.secret});
    ofThird.prepareSuccession({4, addresses});
    for (detail::Watch* watch : {&ofSecond, &ofThird}) {
        watch->endStart();
        watch->letSucceed();
        master.awaitConnection();
    }
    master.connections.clear();
    for (detail::Watch* watch : {&ofSecond, &ofThird}) {
        CHECK(awaitLoss(watch->losses()).rank == 0);
        CHECK(awaitLoss(watch->losses()).text() == "rank 1 was killed or has crashed (it takes no connection)");
    }
    ofThird.sayGoodbye();
    ofSecond.sayGoodbye();
    ofSecond.awaitGoodbyes(20s);
    CHECK_FALSE(ofSecond.losses().nextLoss());
}

TEST_CASE("Watch: a rank that has taken over tells the losses of the ranks after it, and of those that do not come") {
    RawRank master;
    RawRank first;
    const detail::WatchSettings settings{.heartbeat = 20ms, .connectLimit = 1000ms};
    detail::Watch ofFirst(master.address(), 1, settings,
                          detail::Watch::Ends{[](const std::string& text) { FAIL(text); }, [] { FAIL("given up"); }});
    const detail::WatchAddress address = first.address();
    ofFirst.prepareSuccession({4, {detail::WatchAddress(), address}, std::move(first.listener), address.port, address.secret});
    ofFirst.endStart();
    ofFirst.letSucceed();
    master.awaitConnection();
    master.connections.clear();
    CHECK(awaitLoss(ofFirst.losses()).rank == 0);
    {
        const detail::FileDescriptor third = detail::connectTo("127.0.0.1", address.port, 10s);
        detail::sendNow(third, detail::WatchHello{address.secret, 3, 1, elsewhere}.bytes());
    }
    std::map<int, std::string> texts;
    while (texts.size() < 2) {
        const detail::Loss loss = awaitLoss(ofFirst.losses());
        texts[loss.rank] = loss.text();
    }
    CHECK(texts.contains(3));
    CHECK(texts[2] == "rank 2 did not connect to the watch of rank 1");
}

TEST_CASE("Watcher: slaves that are expected later connect with the next ranks, at another address") {
    const auto watcher = makeWatcher(2);
    const auto first = makeWatch(*watcher, 1);
    watcher->expect(2);
    const auto second = makeWatch(*watcher, 2);
    {
        const detail::FileDescriptor impostor = connectAs(*watcher, 4, watcher->address().secret);
        CHECK(lastByteOf(impostor) == std::byte{});    // refused, before the watcher expects that rank
    }
    { const auto third = makeWatch(*watcher, 3); }
    watcher->endStart();
    watcher->expect(1);
    { const auto fourth = makeWatch(*watcher, 4); }
    CHECK_FALSE(watcher->losses().nextLoss().has_value());    // ranks 3 and 4 have said goodbye
}

TEST_CASE("Watcher: where all ranks are on this host, the listeners for the first and for later slaves take its own connections only") {
    const auto addressesOf = [](std::uint16_t port) {    // of all listeners of this host
        std::ifstream table("/proc/net/tcp");
        std::set<std::string> addresses;
        std::string line;
        const std::string end = fmt::format(":{:04X} 00000000:0000 0A", port);
        while (std::getline(table, line)) {
            if (const std::size_t at = line.find(end); at != std::string::npos) addresses.insert(line.substr(at - 8, 8));
        }
        return addresses;
    };
    const std::set<std::string> loopback{fmt::format("{:08X}", htonl(INADDR_LOOPBACK))};
    const std::set<std::string> all{"00000000"};
    for (const bool areJoinersHere : {true, false}) {
        detail::WatchSettings settings = fast();
        settings.areAllOnOneHost = true;
        settings.areJoinersOnThisHost = areJoinersHere;
        const auto watcher = makeWatcher(2, settings);
        CHECK(addressesOf(watcher->address().port) == loopback);
        const auto first = makeWatch(*watcher, 1);
        watcher->expect(1);
        CHECK(addressesOf(watcher->address().port) == (areJoinersHere ? loopback : all));
        const auto second = makeWatch(*watcher, 2);
        watcher->sayGoodbye();
        first->sayGoodbye();
        second->sayGoodbye();
        watcher->awaitGoodbyes(10s);
    }
}

TEST_CASE("Watcher: while slaves are on their way in, their loss is told at once, and that of the others as usual") {
    std::atomic<int> earlyCount{0};
    std::string early;
    detail::Watcher watcher(2, fast(), [&](const std::string& text) {
        if (earlyCount == 0) early = text;
        ++earlyCount;
    });
    watcher.endStart();
    auto first = std::make_unique<detail::FileDescriptor>(connectAs(watcher, 1, watcher.address().secret));
    watcher.expect(1);
    first.reset();
    CHECK(awaitLoss(watcher.losses()).rank == 1);
    CHECK(earlyCount == 0);
    { const detail::FileDescriptor second = connectAs(watcher, 2, watcher.address().secret); }
    while (earlyCount == 0) std::this_thread::yield();
    CHECK(early == "rank 2 was killed or has crashed (its connection is closed)");
}

TEST_CASE("Watcher: slaves that cannot be had after all are not waited for") {
    const auto watcher = makeWatcher(2, {.heartbeat = 20ms, .connectLimit = 2000ms});    // long enough for the first slave
    const auto first = makeWatch(*watcher, 1);
    watcher->expect(3);
    watcher->expectNoMore(3);
    std::this_thread::sleep_for(2500ms);    // the checks of makeWatcher() fail if the watcher misses a rank
    watcher->sayGoodbye();
    first->sayGoodbye();
    watcher->awaitGoodbyes(10s);
}
