#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/device.hpp>
#include <ferry/tests/device/Tangle.hpp>

// One object that is copied again and again, while the host changes what its pointers lead to, and frees what they led to before.

using ferry::test::Knot;
using ferry::test::sumOf;
using ferry::test::Tangle;

namespace {

std::uint64_t sumThere(ferry::Device& device, const Knot* root) {
    std::uint64_t sum = 0;
    device.run(1, [&sum, root](std::size_t) { sum = sumOf(root, 6); });
    return sum;
}

}    // namespace

TEST_CASE("Device again: an object whose pointers lead elsewhere is copied as it is now, and what was freed is not read") {
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        ferry::Device device = ferry::Device::host({.threads = 1});
        Tangle tangle(seed);
        tangle.change();
        auto kept = device.copy(tangle.root());
        for (int round = 0; round < 40; ++round) {
            switch (tangle.below(8)) {
                case 0: break;    // the same shape and values
                case 1: tangle.changeValues(); break;
                case 2: tangle.change(); break;
                default: tangle.removeOne();
            }
            const std::uint64_t here = sumOf(&tangle.root(), 6);
            {
                auto there = device.copy(tangle.root());
                REQUIRE(sumThere(device, there.get()) == here);
                there.fetch();
                REQUIRE(sumOf(&tangle.root(), 6) == here);
            }
            kept.update();
            REQUIRE(sumThere(device, kept.get()) == here);
            device.run(1, [root = kept.get()](std::size_t) { root->value += 1000; });
            kept.fetch();
            REQUIRE(tangle.root().value >= 1000);
        }
    }
}

TEST_CASE("Device again: fetch() after the host freed what its pointers led to writes nothing there") {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        ferry::Device device = ferry::Device::host({.threads = 1});
        Tangle tangle(seed);
        tangle.change();
        auto there = device.copy(tangle.root());
        tangle.removeOne();
        try {
            there.fetch();    // the shape may be the same by chance
        } catch (const ferry::UsageError&) {}
        there.update();
        CHECK(sumThere(device, there.get()) == sumOf(&tangle.root(), 6));
    }
}

TEST_CASE("Device again: a second copy asks for no memory, and goes there in one transfer") {
    ferry::Device device = ferry::Device::host({.threads = 1});
    Tangle tangle(7);
    tangle.change();
    { auto there = device.copy(tangle.root()); }
    const auto before = device.transfers();
    { auto there = device.copy(tangle.root()); }
    const auto after = device.transfers();
    CHECK(after.allocations == before.allocations);
    CHECK(after.toDevice == before.toDevice + 1);
}

TEST_CASE("Device again: one address, other types and other counts") {
    ferry::Device device = ferry::Device::host({.threads = 1});
    struct Pair {
        std::vector<int> first;
        std::vector<int> second;
    };
    Pair pair{{1, 2, 3}, {4}};
    for (int round = 0; round < 3; ++round) {
        {
            auto whole = device.copy(pair);
            int sum = 0;
            device.run(1, [&sum, p = whole.get()](std::size_t) { sum = p->first[2] + p->second[0]; });
            CHECK(sum == 7);
        }
        {
            auto first = device.copy(pair.first);
            int sum = 0;
            device.run(1, [&sum, v = first.get()](std::size_t) { sum = static_cast<int>(v->size()) + (*v)[2]; });
            CHECK(sum == 6);
        }
        {
            const Pair& constant = pair;
            auto there = device.copy(constant);
            int sum = 0;
            device.run(1, [&sum, p = there.get()](std::size_t) { sum = p->first[2]; });
            CHECK(sum == 3);
        }
        {
            auto two = device.copyArray(pair.first.data(), 2);
            auto three = device.copyArray(pair.first.data(), 3);
            CHECK(two.size() + three.size() == 5);
        }
    }
}
