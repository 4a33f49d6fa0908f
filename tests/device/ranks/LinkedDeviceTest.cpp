#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/remoteDevice.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/simulate.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/device/ranks/Sides.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>
#include <ferry/tests/support/Ranks.hpp>

// Graphs whose large arrays go from device to device by a link. With the host as the device, the link of MPI needs no special MPI.

using namespace ferry;
using namespace ferry::test;
using namespace remotedevices;

namespace linkeddevices {

/// A link whose bytes travel as letters of the connector, on every transport.
class LetterLink final : public DeviceLink {
public:
    /// Sends the bytes when the transfer is asked for its end, and not before.
    enum class When { AtOnce, Later };

    explicit LetterLink(Connector& connector, When when = When::AtOnce) : connector_(connector), when_(when) {}

    int arrivals() const { return arrivals_; }

private:
    using Bytes = std::vector<std::byte>;

    class Sent final : public LinkTransfer {
    public:
        Sent(Connector& connector, int to, std::int32_t number, const std::byte* bytes, std::size_t count)
            : connector_(connector),
              to_(to),
              number_(number),
              bytes_(bytes),
              count_(count) {}
        bool hasEnded() override {
            if (std::exchange(count_, 0) != 0) connector_.send(to_, Bytes(bytes_, bytes_ + size()), tagOf(number_));
            return true;
        }

    private:
        std::size_t size() const { return size_; }
        Connector& connector_;
        int to_;
        std::int32_t number_;
        const std::byte* bytes_;
        std::size_t count_;
        std::size_t size_ = count_;
    };
    class Awaited final : public LinkTransfer {
    public:
        Awaited(Connector& connector, int& arrivals, int from, std::int32_t number, std::byte* bytes, std::size_t count)
            : connector_(connector),
              arrivals_(arrivals),
              from_(from),
              number_(number),
              bytes_(bytes),
              count_(count) {}
        bool hasEnded() override {
            if (isGivenUp_) return true;
            const auto arrived = connector_.tryReceive<Bytes>(from_, tagOf(number_));
            if (!arrived) return false;
            REQUIRE(arrived->size() == count_);
            std::memcpy(bytes_, arrived->data(), count_);
            ++arrivals_;
            return true;
        }
        void giveUp() noexcept override { isGivenUp_ = true; }

    private:
        Connector& connector_;
        int& arrivals_;
        int from_;
        std::int32_t number_;
        std::byte* bytes_;
        std::size_t count_;
        bool isGivenUp_ = false;
    };

    static Tag tagOf(std::int32_t number) { return Tag(1000 + number); }

    std::unique_ptr<LinkTransfer> beginSend(int to, std::int32_t number, const std::byte* bytes, std::size_t count) override {
        auto transfer = std::make_unique<Sent>(connector_, to, number, bytes, count);
        if (when_ == When::AtOnce) static_cast<void>(transfer->hasEnded());
        return transfer;
    }
    std::unique_ptr<LinkTransfer> beginReceive(int from, std::int32_t number, std::byte* bytes, std::size_t count) override {
        return std::make_unique<Awaited>(connector_, arrivals_, from, number, bytes, count);
    }

    Connector& connector_;
    When when_;
    int arrivals_ = 0;
};

constexpr std::size_t Count = 20;    // nodes of a ring

/// Sends a ring around all ranks, each of which adds 1 to the values of its nodes.
template <class Side>
void goAround(Connector& c, DeviceLink& link, Side& side, std::size_t weights) {
    const std::vector<int> other(1000, 1);
    auto before = side.device.copy(other);    // the arenas of the ranks have different addresses
    const double weightSum = static_cast<double>(Count * (Count - 1) / 2 * weights);
    if (c.rank() == 0) {
        std::vector<Node> nodes = ring(Count, weights);
        auto there = side.device.copy(nodes[0]);
        side.add(there.get());    // the values of the device travel, not those of the host
        sendDeviceGraph(c, nextRank(c), there, link);
        auto back = receiveDeviceGraph<Node>(c, previousRank(c), side.device, link);
        const Total sum = side.sum(back.get());
        CHECK(sum.nodes == static_cast<int>(Count));
        CHECK(sum.values == static_cast<long>(Count * (Count - 1) / 2) + static_cast<long>(Count) * c.size());
        CHECK(sum.weights == weightSum);
    } else {
        auto got = receiveDeviceGraph<Node>(c, previousRank(c), side.device, link);
        CHECK(side.sum(got.get()).weights == weightSum);
        side.add(got.get());
        sendDeviceGraph(c, nextRank(c), got, link);
    }
    link.finish(c);
}

/// A link on which nothing ever arrives.
class SilentLink final : public DeviceLink {
    class Awaited final : public LinkTransfer {
        bool hasEnded() override { return isGivenUp_; }
        void giveUp() noexcept override { isGivenUp_ = true; }
        bool isGivenUp_ = false;
    };
    std::unique_ptr<LinkTransfer> beginSend(int, std::int32_t, const std::byte*, std::size_t) override {
        auto transfer = std::make_unique<Awaited>();
        return transfer;
    }
    std::unique_ptr<LinkTransfer> beginReceive(int, std::int32_t, std::byte*, std::size_t) override { return std::make_unique<Awaited>(); }
};

}    // namespace linkeddevices

using namespace linkeddevices;

TEST_CASE_TEMPLATE("Linked devices: a ring goes from device to device, around all ranks", Side, FERRY_TEST_SIDES) {
    onRanks(
        [](Connector& c) {
            for (const std::size_t weights : {std::size_t{0}, std::size_t{3}, std::size_t{10'000}}) {
                LetterLink link(c);
                Side side;
                goAround(c, link, side, weights);
            }
        },
        2);
}

TEST_CASE_TEMPLATE("Linked devices: the link of MPI carries large arrays, and threads have none", Side, FERRY_TEST_SIDES) {
    onRanks(
        [](Connector& c) {
            if (detail::rankOfProcess() < 0) {
                CHECK_THROWS_AS(MpiDeviceLink{c}, UsageError);
                return;
            }
            MpiDeviceLink link(c);
            Side side;
            for (int round = 0; round < 3; ++round) goAround(c, link, side, 200'000);
        },
        2);
}

TEST_CASE("Linked devices: in simulated networks with many orders of arrival") {
    if (detail::rankOfProcess() > 0) return;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const SimulationResult result = simulate(3, seed, [](Connector& c) {
            LetterLink link(c);
            HostSide side;
            goAround(c, link, side, 9000);
        });
        CHECK_MESSAGE(result.haveAllReturned(), result.describe());
    }
}

TEST_CASE("Linked devices: the arrays leave out the host, and are those of the moment of the send") {
    onRanks(
        [](Connector& c) {
            constexpr std::size_t Numbers = 100'000;
            Device device = Device::host({.threads = 1});
            LetterLink link(c, LetterLink::When::Later);
            if (c.rank() == 0) {
                std::vector<std::vector<double>> rows(3, std::vector<double>(Numbers, 1));
                for (const bool isDropped : {false, true}) {
                    auto there = device.copy(rows);
                    const std::size_t before = device.transfers().fromDeviceBytes;
                    sendDeviceGraph(c, 1, there, link);
                    CHECK(device.transfers().fromDeviceBytes - before < 1000);
                    device.run(Numbers, [r = there.get()](std::size_t i) { (*r)[1][i] = 7; });
                    if (isDropped) {    // the copy goes, its memory is used again, and the device's last name goes
                        auto gone = std::move(there);
                        device = Device::host({.threads = 1});
                    }
                    link.finish(c);
                }
            } else if (c.rank() == 1) {
                for (int i = 0; i < 2; ++i) {
                    const std::size_t before = device.transfers().toDeviceBytes;
                    auto got = receiveDeviceGraph<std::vector<std::vector<double>>>(c, AnyRank, device, link);
                    CHECK(device.transfers().toDeviceBytes - before < 1000);
                    double sum = 0;
                    device.run(1, [&sum, r = got.get()](std::size_t) {
                        for (const auto& row : *r) {
                            for (const double number : row) sum += number;
                        }
                    });
                    CHECK(sum == 3.0 * Numbers);
                }
            }
        },
        2);
}

TEST_CASE("Linked devices: a device without room for a second copy sends from the host") {
    onRanks(
        [](Connector& c) {
            std::vector<double> numbers(100'000, 2);
            Device device = Device::host({.threads = 1, .memoryBytes = 1 << 20});
            LetterLink link(c, LetterLink::When::Later);
            if (c.rank() == 0) {
                auto there = device.copy(numbers);
                sendDeviceGraph(c, 1, there, link, Tag(5));
                device.run(numbers.size(), [n = there.get()](std::size_t i) { (*n)[i] = 3; });
                link.finish(c);
            } else if (c.rank() == 1) {
                auto got = receiveDeviceGraph<std::vector<double>>(c, 0, device, link, Tag(5));
                double sum = 0;
                device.run(1, [&sum, n = got.get()](std::size_t) {
                    for (const double number : *n) sum += number;
                });
                CHECK(sum == 200'000);
            }
        },
        2);
}

TEST_CASE("Linked devices: a wait for arrays ends with the exception of another rank, and the device stays usable") {
    onRanks(
        [](Connector& c) {
            Device device = Device::host({.threads = 1});
            SilentLink link;
            std::vector<double> numbers(100'000, 2);
            const ExceptionList failures = failuresOf(c, [&] {
                if (c.rank() == 0) {
                    auto there = device.copy(numbers);
                    sendDeviceGraph(c, 1, there, link);
                    throw UsageError("no more");
                }
                if (c.rank() == 1) static_cast<void>(receiveDeviceGraph<std::vector<double>>(c, 0, device, link));
                c.barrier();
            });
            REQUIRE(failures.size() == 1);
            CHECK(failures.front().as<UsageError>() != nullptr);
            auto there = device.copy(numbers);
            there.fetch();
            checkUsable(c);
        },
        2);
}

TEST_CASE("Linked devices: a graph that finds no place has its arrays received, so that the sender does not wait") {
    onRanks(
        [](Connector& c) {
            const std::vector<double> numbers(100'000, 2);
            LetterLink link(c);
            if (c.rank() == 0) {
                Device device = Device::host({.threads = 1});
                auto there = device.copy(numbers);
                for (int i = 0; i < 2; ++i) sendDeviceGraph(c, 1, there, link);
                link.finish(c);
            } else if (c.rank() == 1) {
                Device small = Device::host({.threads = 1, .memoryBytes = 1 << 16});
                CHECK_THROWS_AS(receiveDeviceGraph<std::vector<double>>(c, 0, small, link), DeviceError);
                CHECK(link.arrivals() == 1);
                Device device = Device::host({.threads = 1});
                double last = 0;
                auto got = receiveDeviceGraph<std::vector<double>>(c, 0, device, link);
                device.run(1, [&last, n = got.get()](std::size_t) { last = n->back(); });
                CHECK(last == 2);
            }
        },
        2);
}

TEST_CASE("Linked devices: damaged heads are refused, and an array alone is all of its graph") {
    if (detail::rankOfProcess() > 0) return;
    Device device = Device::host({.threads = 1});
    using Head = detail::DeviceGraphHead<Node>;
    std::vector<Node> nodes = ring(3, 10'000);
    auto there = device.copy(nodes[0]);
    const Head head{detail::DeviceImages::arenaOf(there)->leaveWithoutArrays(), 7};
    CHECK(head.image.arrayBytes >= 240'000);
    CHECK(head.image.bytes.size() < 1000);
    const auto again = valueOf<Head>(intsOf(head));
    CHECK(again.number == 7);
    CHECK(again.image.arrayBytes == head.image.arrayBytes);
    checkTruncated<Head>(intsOf(head));
    Head damaged = head;
    damaged.image.arrayBytes = ~std::uint64_t{0};
    CHECK(errorOf<Head>(intsOf(damaged)).find("bytes of arrays") != std::string::npos);
    damaged = head;
    damaged.image.arrayBytes -= 100'000;    // the pointers lead behind the arrays
    CHECK(errorOf<Head>(intsOf(damaged)).find("a pointer into") != std::string::npos);
    damaged = head;
    damaged.number = -1;
    CHECK(errorOf<Head>(intsOf(damaged)).find("a number of a transfer") != std::string::npos);

    std::array<double, 20'000> flat{};
    auto alone = device.copy(flat);
    const detail::DeviceImage image = detail::DeviceImages::arenaOf(alone)->leaveWithoutArrays();
    CHECK(image.bytes.empty());
    CHECK(image.arrayBytes >= sizeof flat);    // with the gap behind an object that the address sanitizer watches
    CHECK(image.arrayBytes < sizeof flat + 100);
    CHECK(deviceGraph(alone).image.arrayBytes == 0);
}
