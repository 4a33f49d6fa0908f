#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/remoteDevice.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>
#include <ferry/tests/support/Ranks.hpp>

// Copies that go from the device of one rank to the device of another.

using namespace ferry;
using namespace ferry::test;

namespace remotedevices {

struct Node {
    int value = 0;
    Node* next = nullptr;
    std::vector<double> weights;
    FERRY_FIELDS(value, next, weights)
};

/// A ring, whose arrays are small or large.
std::vector<Node> ring(std::size_t count, std::size_t weights) {
    std::vector<Node> nodes(count);
    for (std::size_t i = 0; i < count; ++i) {
        nodes[i].value = static_cast<int>(i);
        nodes[i].next = &nodes[(i + 1) % count];
        nodes[i].weights.assign(weights, static_cast<double>(i));
    }
    return nodes;
}

struct Total {
    long values = 0;
    double weights = 0;
    int nodes = 0;
};

/// The kernels of both ranks: add 1 to each value, and sum up.
class HostSide {
public:
    Device device = Device::host({.threads = 2});

    void add(Node* root) {
        device.run(1, [root](std::size_t) {
            Node* node = root;
            do {
                node->value += 1;
                node = node->next;
            } while (node != root);
        });
    }
    Total sum(Node* root) {
        Total sum;
        device.run(1, [root, &sum](std::size_t) {
            const Node* node = root;
            do {
                sum.values += node->value;
                for (double weight : node->weights) sum.weights += weight;
                ++sum.nodes;
                node = node->next;
            } while (node != root);
        });
        return sum;
    }
};

#ifdef FERRY_TEST_OPENCL
struct Result {
    long values = 0;
    double weights = 0;
    int nodes = 0;
    FERRY_FIELDS(values, weights, nodes)
};

class OpenClSide {
public:
    Device device = Device::openCl();
    DeviceProgram program = device.program<Node, Result>(R"(
        kernel void add(global Node* root) {
            global Node* node = root;
            do {
                node->value += 1;
                node = node->next;
            } while (node != root);
        }
        kernel void sum(global Node* root, global Result* result) {
            global Node* node = root;
            do {
                result->values += node->value;
                for (global double* weight = node->weights.data; weight != node->weights.end; ++weight) result->weights += *weight;
                ++result->nodes;
                node = node->next;
            } while (node != root);
        })");

    void add(Node* root) { program.launch("add", {1}, root); }
    Total sum(Node* root) {
        Result result;
        auto there = device.copy(result);
        program.launch("sum", {1}, root, there);
        there.fetch();
        return {result.values, result.weights, result.nodes};
    }
};
#define FERRY_TEST_SIDES HostSide, OpenClSide
#else
#define FERRY_TEST_SIDES HostSide
#endif

}    // namespace remotedevices

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
