#include <algorithm>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <ferry/benchmarks/device/Scenarios.hpp>

// The structures of the paper, copied whole and in part.

namespace {

using namespace ferry::bench;

constexpr std::size_t Direct = 64 * 1024;

template <int Levels>
void checkPath(ferry::Device& device, std::size_t n, bool hasAllArrays) {
    LinearChain chain(Levels, n, hasAllArrays);
    const ferry::DeviceTransfers before = device.transfers();
    auto there = device.copy(ferry::part<LinearPath<Levels>>(chain.root()));
    CHECK(there.bytes() == linearBytes(Levels, n, false));
    CHECK(device.transfers().toDevice == before.toDevice + 1);
    device.run(n, [root = there.get()](std::size_t i) {
        Linear* node = root;
        while (node->next != nullptr) node = node->next;
        node->array[i] *= 3;
    });
    there.fetch();
    for (int level = 1; level <= Levels; ++level) {
        const Linear& node = chain.nodes()[static_cast<std::size_t>(level - 1)];
        if (node.array == nullptr) continue;
        const double wanted = level == Levels ? 3.0 * level : level;
        CHECK(std::all_of(node.array, node.array + n, [&](double value) { return value == wanted; }));
    }
    if constexpr (Levels > 2) checkPath<Levels - 1>(device, n, hasAllArrays);
}

}    // namespace

TEST_CASE("Linear scenario: the whole chain goes there and back in one transfer each") {
    ferry::Device device = ferry::Device::host();
    for (std::size_t levels = 2; levels <= 10; ++levels) {
        for (const std::size_t n : {100, 1000, 10'000, 100'000}) {
            CAPTURE(levels);
            CAPTURE(n);
            LinearChain chain(levels, n, true);
            const ferry::DeviceTransfers before = device.transfers();
            auto there = device.copy(chain.root());
            const ferry::DeviceTransfers after = device.transfers();
            const bool isDirect = n * sizeof(double) >= Direct;
            CHECK(there.bytes() == linearBytes(levels, n, true));
            CHECK(there.objects() == 2 * levels);
            CHECK(after.toDevice == before.toDevice + 1);
            CHECK(after.batches == before.batches + (isDirect ? 1 : 0));
            if (isDirect) CHECK(after.stagedBytes - before.stagedBytes < levels * (sizeof(Linear) + 64));
            device.run(n, [root = there.get()](std::size_t i) { scaleItem(root, i, 2); });
            there.fetch();
            CHECK(device.transfers().fromDevice == after.fromDevice + (isDirect ? 2 : 1));
            for (std::size_t level = 0; level < levels; ++level) {
                const Linear& node = chain.nodes()[level];
                CHECK(std::all_of(node.array, node.array + n, [&](double value) { return value == 2 * static_cast<double>(level + 1); }));
            }
        }
    }
}

TEST_CASE("Linear scenario: a View takes the spine and the last array") {
    ferry::Device device = ferry::Device::host();
    for (const std::size_t n : {100, 10'000, 100'000}) {
        checkPath<10>(device, n, true);
        checkPath<10>(device, n, false);
    }
}

TEST_CASE("Linear scenario: what a View leaves out is null on the device") {
    ferry::Device device = ferry::Device::host();
    LinearChain chain(3, 10, true);
    auto there = device.copy(ferry::part<LinearSpine>(chain.root()));
    CHECK(there.bytes() == 3 * sizeof(Linear));
    int arrays = 0;
    int levels = 0;
    device.run(1, [&, root = there.get()](std::size_t) {
        for (const Linear* node = root; node != nullptr; node = node->next) {
            ++levels;
            if (node->array != nullptr) ++arrays;
        }
    });
    CHECK(levels == 3);
    CHECK(arrays == 0);
    there.fetch();
    CHECK(chain.root().array[0] == 1);
}

TEST_CASE("Dense scenario: the tree goes there and back in one transfer each") {
    ferry::Device device = ferry::Device::host();
    for (const std::size_t q : {2, 4, 8, 16}) {
        for (const std::size_t n : {10, 100, 1000, 10'000}) {
            if (n * q * q * q > 10'000'000) continue;
            CAPTURE(q);
            CAPTURE(n);
            DenseTree tree(q, n);
            const double before = sumOf(tree.root());
            const ferry::DeviceTransfers transfers = device.transfers();
            auto there = device.copy(tree.root());
            CHECK(device.transfers().toDevice == transfers.toDevice + 1);
            CHECK(there.bytes() == denseBytes(q, n, DenseTree::Depth));
            device.run(n, [root = there.get()](std::size_t i) { scaleItem(root, i, 2); });
            there.fetch();
            CHECK(sumOf(tree.root()) == before + 4 * static_cast<double>(n));
        }
    }
}

TEST_CASE("Scenarios: the sizes are those of the paper's tables") {
    // The paper counts 24 bytes for a structure, and 12 for a leaf of the dense tree. Both begin with ints here.
    static_assert(sizeof(Linear) == 24);
    static_assert(sizeof(Dense<3>) == 24 && sizeof(Dense<0>) == 16);
    CHECK(linearBytes(2, 100, true) == 1648);
    CHECK(fmt::format("{:.2f}", static_cast<double>(linearBytes(10, 100'000'000, true)) / (1 << 20)) == "7629.39");
    CHECK(denseBytes(2, 10, 3, 24, 12) == 1464);
    CHECK(fmt::format("{:.2f}", static_cast<double>(denseBytes(2, 10, 3, 24, 12)) / 1024) == "1.43");
    CHECK(fmt::format("{:.2f}", static_cast<double>(denseBytes(16, 100'000, 3, 24, 12)) / (1 << 30)) == "3.26");
}
