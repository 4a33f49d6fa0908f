#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

namespace timetabling {

/// The timetables of an evolution: at most a fixed number, and all different.
class Population {
public:
    /// The problem must outlive the population; there is room for at least one individual.
    Population(const SearchProblem& problem, std::size_t capacity) : problem_(problem), capacity_(capacity) {}

    bool isEmpty() const { return individuals_.empty(); }
    bool isFull() const { return individuals_.size() >= capacity_; }
    const std::vector<Individual>& individuals() const { return individuals_; }
    /// The best individual; the population must not be empty.
    const Individual& best() const;

    /// The better of two individuals that are drawn at random. The population must not be empty.
    const Individual& select(Random& random) const;
    /// Like select(), with a result that differs from 'partner'. With a single individual, the result is that one.
    const Individual& selectOther(const Individual& partner, Random& random) const;

    /// Adds the individual while there is room. In a full population, it replaces an individual that is alike, or else the worst one, if
    /// it is better.
    /// Returns whether the individual was added.
    bool add(Individual individual);

private:
    const SearchProblem& problem_;
    std::size_t capacity_;
    std::vector<Individual> individuals_;
};

}    // namespace timetabling
