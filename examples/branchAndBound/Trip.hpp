#pragma once

#include <vector>

namespace trip {

/// The distances between cities, by their numbers.
using Distances = std::vector<std::vector<int>>;

/// A round trip from city 0 through all cities and back, or the start of one.
struct Trip {
    std::vector<int> cities = {0};    ///< in their order
    int length = 0;                   ///< from city to city; of a whole trip also back to city 0
};

/// Cities at random places; the seed fixes them.
Distances randomCities(int count, unsigned seed);

/// The start, one city longer.
Trip longer(const Trip& start, int city, const Distances& distances);

/// Cities that the start does not have, the nearest to its end first.
std::vector<int> nextCities(const Trip& start, const Distances& distances);

/// A length that no whole trip with this start goes below.
int lowerBound(const Trip& start, const Distances& distances);

/// The best whole trip with this start that is shorter than the limit; without cities when there is none.
Trip searchBelow(const Trip& start, const Distances& distances, int limit);

/// The length of the shortest round trip, after a look at each of them.
int shortestByBruteForce(const Distances& distances);

}    // namespace trip
