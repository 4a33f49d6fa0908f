#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include <ferry/device.hpp>
#include <ferry/device/failure/SiteRecorder.hpp>

namespace ferry::test {

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
    /// mostNumbers: the arrays of numbers are shorter.
    explicit Tangle(std::uint32_t seed, std::size_t mostNumbers = 20'000) : random_(seed), mostNumbers_(mostNumbers) {}

    Knot& root() noexcept { return root_; }

    /// Frees some knots, makes new ones, and gives all pointers new targets.
    void change() {
        knots_.erase(std::remove_if(knots_.begin(), knots_.end(), [this](const auto&) { return below(3) == 0; }), knots_.end());
        const std::size_t wanted = 1 + below(12);
        while (knots_.size() < wanted) knots_.push_back(std::make_unique<Knot>());
        for (Knot* knot : outerKnots()) {
            if (below(2) == 0) knot->inner = std::vector<Knot>(below(4));
            if (below(4) == 0) knot->numbers.resize(below(mostNumbers_));
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
    std::size_t mostNumbers_;
    Knot root_;
    std::vector<std::unique_ptr<Knot>> knots_;
};

/// A sum over all ways of this length that begin at the knot.
FERRY_ANYWHERE inline std::uint64_t sumOf(const Knot* knot, int depth) {
    if (knot == nullptr || depth == 0) return 1;
    std::uint64_t sum = static_cast<std::uint64_t>(knot->value) + knot->inner.size() + knot->numbers.size();
    if (!knot->numbers.empty()) sum += static_cast<std::uint64_t>(knot->numbers.back());
    sum = 31 * sum + sumOf(knot->next, depth - 1);
    sum = 31 * sum + sumOf(knot->other, depth - 1);
    for (const Knot& each : knot->inner) sum = 31 * sum + sumOf(&each, depth - 1);
    return sum;
}

}    // namespace ferry::test
