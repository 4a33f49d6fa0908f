#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

namespace timetabling {

/// The timetables that an evolution works with: a fixed number of different ones.
class Population {
public:
    /// The problem must outlive the population; there is room for at least one individual.
    Population(const SearchProblem& problem, std::size_t capacity) : problem_(problem), capacity_(capacity) {}

    bool isEmpty() const { return individuals_.empty(); }
    bool isFull() const { return individuals_.size() >= capacity_; }
    const std::vector<Individual>& individuals() const { return individuals_; }
    /// The best individual; the population must not be empty.
    const Individual& best() const;

    /// The better of two individuals that are drawn by lot; the population must not be empty.
    const Individual& select(Random& random) const;
    /// As select(), another one than 'partner' unless there is no other.
    const Individual& selectOther(const Individual& partner, Random& random) const;

    /// Takes the individual in while there is room; then in the place of its like, or else of the worst, if it is better.
    /// Tells whether it was taken in.
    bool add(Individual individual);

private:
    const SearchProblem& problem_;
    std::size_t capacity_;
    std::vector<Individual> individuals_;
};

}    // namespace timetabling
