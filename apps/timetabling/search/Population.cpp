#include <ferry/apps/timetabling/search/Population.hpp>

#include <algorithm>
#include <utility>

namespace timetabling {

namespace {

bool isBetter(const Individual& a, const Individual& b) { return a.isBetterThan(b); }

}    // namespace

const Individual& Population::best() const { return *std::min_element(individuals_.begin(), individuals_.end(), isBetter); }

const Individual& Population::select(Random& random) const {
    const int count = static_cast<int>(individuals_.size());
    const Individual& first = individuals_[static_cast<std::size_t>(random.below(count))];
    const Individual& second = individuals_[static_cast<std::size_t>(random.below(count))];
    return second.isBetterThan(first) ? second : first;
}

const Individual& Population::selectOther(const Individual& partner, Random& random) const {
    constexpr int MostAttempts = 20;
    for (int attempt = 0; attempt < MostAttempts; ++attempt) {
        const Individual& found = select(random);
        if (&found != &partner) return found;
    }
    for (const Individual& individual : individuals_) {
        if (&individual != &partner) return individual;
    }
    return partner;
}

bool Population::add(Individual individual) {
    const auto isLike = [&](const Individual& other) { return problem_.areAlike(individual.slots, other.slots); };
    auto place = std::find_if(individuals_.begin(), individuals_.end(), isLike);
    if (place == individuals_.end() && !isFull()) {
        individuals_.push_back(std::move(individual));
        return true;
    }
    if (place == individuals_.end()) place = std::max_element(individuals_.begin(), individuals_.end(), isBetter);
    if (!individual.isBetterThan(*place)) return false;
    *place = std::move(individual);
    return true;
}

}    // namespace timetabling
