#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/remoteDevice.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/device/ranks/Sides.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>
#include <ferry/tests/support/Ranks.hpp>

// Copies that go from the device of one rank to the device of another.

using namespace ferry;
using namespace ferry::test;

using namespace remotedevices;

TEST_CASE_TEMPLATE("Remote devices: a ring goes from device to device, around all ranks", Side, FERRY_TEST_SIDES) {
    onRanks(
        [](Connector& c) {
            for (const std::size_t weights : {std::size_t{0}, std::size_t{3}, std::size_t{10'000}}) {
                constexpr std::size_t Count = 20;
                Side side;
                const std::vector<int> other(1000, 1);
                auto before = side.device.copy(other);    // the arenas of the ranks have different addresses
                const double weightSum = static_cast<double>(Count * (Count - 1) / 2 * weights);
                if (c.rank() == 0) {
                    std::vector<Node> nodes = ring(Count, weights);
                    auto there = side.device.copy(nodes[0]);
                    side.add(there.get());    // the values of the device travel, not those of the host
                    c.send(nextRank(c), deviceGraph(there));
                    auto back = receiveDeviceGraph<Node>(c, previousRank(c), side.device);
                    const Total sum = side.sum(back.get());
                    CHECK(sum.nodes == static_cast<int>(Count));
                    CHECK(sum.values == static_cast<long>(Count * (Count - 1) / 2) + static_cast<long>(Count) * c.size());
                    CHECK(sum.weights == weightSum);
                    CHECK(nodes[0].value == 0);
                } else {
                    auto got = receiveDeviceGraph<Node>(c, previousRank(c), side.device);
                    CHECK(side.sum(got.get()).weights == weightSum);
                    side.add(got.get());
                    c.send(nextRank(c), deviceGraph(got));
                }
            }
        },
        2);
}

TEST_CASE("Remote devices: a graph with another root is refused, and a changed shape is told") {
    onRanks(
        [](Connector& c) {
            Device device = Device::host({.threads = 1});
            if (c.rank() == 0) {
                std::vector<int> numbers{1, 2, 3};
                auto there = device.copy(numbers);
                for (int to = 1; to < c.size(); ++to) c.send(to, deviceGraph(there));
                numbers.push_back(4);
                CHECK_THROWS_AS(deviceGraph(there), UsageError);
                there.update();
                CHECK_NOTHROW(deviceGraph(there));
            } else {
                // Both letters have one form on the wire.
                const auto letter = c.receive<DeviceGraphLetter<std::vector<int>>>(0);
                DeviceGraphLetter<Node> wrong{letter.image};
                CHECK_THROWS_AS(ferry::detail::DeviceImages::arrive(device, wrong), UsageError);
                auto right = ferry::detail::DeviceImages::arrive(device, letter);
                int found = 0;
                device.run(1, [v = right.get(), &found](std::size_t) { found = (*v)[2]; });
                CHECK(found == 3);
            }
        },
        2);
}

TEST_CASE("Remote devices: a stray pointer stays at home, and damaged letters are refused") {
    if (ferry::detail::rankOfProcess() > 0) return;
    Device device = Device::host({.threads = 1});
    Node node;
    auto there = device.copy(node);
    const DeviceGraphLetter<Node> letter = deviceGraph(there);
    CHECK(letter.image.pointers.size() == 4);
    // A pointer that was null at the copy, and that a kernel has set.
    device.run(1, [n = there.get()](std::size_t) { n->next = n; });
    auto moved = ferry::detail::DeviceImages::arrive(device, deviceGraph(there));
    bool isOwn = false;
    device.run(1, [&isOwn, n = moved.get()](std::size_t) { isOwn = n->next == n && n->weights.data() == nullptr; });
    CHECK(isOwn);
    std::vector<Node> nodes = ring(3, 2);
    auto circle = device.copy(nodes[0]);
    detail::DeviceImage image = deviceGraph(circle).image;
    CHECK(image.pointers.size() == 3 * std::size_t{4});
    const auto ints = intsOf(image);
    checkTruncated<detail::DeviceImage>(ints);
    detail::DeviceImage damaged = image;
    damaged.pointers.back() = image.bytes.size();
    CHECK(errorOf<detail::DeviceImage>(intsOf(damaged)).find("places of pointers within") != std::string::npos);
    damaged = image;
    damaged.pointers[0] += 1;
    CHECK(errorOf<detail::DeviceImage>(intsOf(damaged)).find("places of pointers within") != std::string::npos);
    damaged = image;
    damaged.bytes[image.pointers[0] + 7] = std::byte{255};
    CHECK(errorOf<detail::DeviceImage>(intsOf(damaged)).find("a pointer into") != std::string::npos);
    damaged = image;
    damaged.root = image.bytes.size() + 1;
    CHECK(errorOf<detail::DeviceImage>(intsOf(damaged)).find("a root within") != std::string::npos);
    device.run(1, [n = circle.get()](std::size_t) { n->next = reinterpret_cast<Node*>(std::uintptr_t{4096}); });
    try {
        static_cast<void>(deviceGraph(circle));
        FAIL("a stray pointer left");
    } catch (const DeviceError& e) {
        CHECK(e.problem() == DeviceProblem::StrayPointer);
    }
}
