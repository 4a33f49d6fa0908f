#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/device.hpp>

// One object that is copied again and again, while the host changes what its pointers lead to, and frees what they led to before.

namespace deviceagain {

struct Knot {
    int value = 0;
    Knot* next = nullptr;
    Knot* other = nullptr;
    std::vector<Knot> inner;
    std::vector<int> numbers;
    FERRY_FIELDS(value, next, other, inner, numbers)
};

/// A root that stays, and knots that come and go. Pointers lead to knots, and to knots in the vectors of knots.
class Tangle {
public:
    explicit Tangle(std::uint32_t seed) : random_(seed) {}

    Knot& root() noexcept { return root_; }

    /// Frees some knots, makes new ones, and gives all pointers new targets.
    void change() {
        knots_.erase(std::remove_if(knots_.begin(), knots_.end(), [this](const auto&) { return below(3) == 0; }), knots_.end());
        const std::size_t wanted = 1 + below(12);
        while (knots_.size() < wanted) knots_.push_back(std::make_unique<Knot>());
        for (Knot* knot : outerKnots()) {
            if (below(2) == 0) knot->inner = std::vector<Knot>(below(4));
            if (below(4) == 0) knot->numbers.resize(below(20'000));
        }
        const std::vector<Knot*> all = allKnots();
        for (Knot* knot : all) {
            knot->next = below(4) == 0 ? nullptr : all[below(all.size())];
            knot->other = below(4) == 0 ? nullptr : all[below(all.size())];
        }
        changeValues();
    }
    /// Frees one knot. Only the pointers that led to it, or into its vector, get new targets.
    void removeOne() {
        if (knots_.size() < 2) return change();
        const std::unique_ptr<Knot> gone = std::move(knots_[below(knots_.size())]);
        std::erase(knots_, nullptr);
        const std::vector<Knot*> left = allKnots();
        const auto redirect = [&](Knot*& pointer) {
            if (pointer != nullptr && std::find(left.begin(), left.end(), pointer) == left.end()) pointer = left[below(left.size())];
        };
        for (Knot* knot : left) {
            redirect(knot->next);
            redirect(knot->other);
        }
    }
    void changeValues() {
        changeValuesOf(root_);
        for (const auto& knot : knots_) changeValuesOf(*knot);
    }

    std::size_t below(std::size_t end) { return random_() % end; }

private:
    std::vector<Knot*> outerKnots() {
        std::vector<Knot*> all{&root_};
        for (const auto& knot : knots_) all.push_back(knot.get());
        return all;
    }
    std::vector<Knot*> allKnots() {
        std::vector<Knot*> all = outerKnots();
        for (Knot* knot : outerKnots()) {
            for (Knot& each : knot->inner) all.push_back(&each);
        }
        return all;
    }
    void changeValuesOf(Knot& knot) {
        knot.value = static_cast<int>(below(1000));
        for (int& number : knot.numbers) number = knot.value;
        for (Knot& each : knot.inner) changeValuesOf(each);
    }

    std::minstd_rand random_;
    Knot root_;
    std::vector<std::unique_ptr<Knot>> knots_;
};

/// A sum over all ways of this length that begin at the knot.
std::uint64_t sumOf(const Knot* knot, int depth) {
    if (knot == nullptr || depth == 0) return 1;
    std::uint64_t sum = static_cast<std::uint64_t>(knot->value) + knot->inner.size() + knot->numbers.size();
    if (!knot->numbers.empty()) sum += static_cast<std::uint64_t>(knot->numbers.back());
    sum = 31 * sum + sumOf(knot->next, depth - 1);
    sum = 31 * sum + sumOf(knot->other, depth - 1);
    for (const Knot& each : knot->inner) sum = 31 * sum + sumOf(&each, depth - 1);
    return sum;
}

std::uint64_t sumThere(ferry::Device& device, const Knot* root) {
    std::uint64_t sum = 0;
    device.run(1, [&sum, root](std::size_t) { sum = sumOf(root, 6); });
    return sum;
}

}    // namespace deviceagain

using namespace deviceagain;

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
        } catch (const ferry::UsageError&) {
        }
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
