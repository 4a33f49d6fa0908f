#include <ferry/examples/branchAndBound/Trip.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

namespace trip {

namespace {

int distance(const Distances& distances, int from, int to) {
    return distances[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

bool has(const Trip& trip, int city) { return std::find(trip.cities.begin(), trip.cities.end(), city) != trip.cities.end(); }

}    // namespace

Distances randomCities(int count, unsigned seed) {
    std::mt19937 random(seed);    // the same numbers everywhere
    std::vector<std::pair<int, int>> places;
    for (int i = 0; i < count; ++i) {
        const int x = static_cast<int>(random() % 1000);
        places.emplace_back(x, static_cast<int>(random() % 1000));
    }
    Distances distances;
    for (const auto& [x, y] : places) {
        distances.emplace_back();
        for (const auto& [otherX, otherY] : places)
            distances.back().push_back(static_cast<int>(std::lround(std::hypot(x - otherX, y - otherY))));
    }
    return distances;
}

Trip longer(const Trip& start, int city, const Distances& distances) {
    Trip trip = start;
    trip.length += distance(distances, trip.cities.back(), city);
    trip.cities.push_back(city);
    if (trip.cities.size() == distances.size()) trip.length += distance(distances, city, 0);
    return trip;
}

std::vector<int> nextCities(const Trip& start, const Distances& distances) {
    std::vector<int> cities;
    for (int city = 0; city < static_cast<int>(distances.size()); ++city) {
        if (!has(start, city)) cities.push_back(city);
    }
    const int end = start.cities.back();
    std::sort(cities.begin(), cities.end(),
              [&](int left, int right) { return distance(distances, end, left) < distance(distances, end, right); });
    return cities;
}

/// From each city that is left, and from the end of the start, the trip goes on at least to the nearest city that it may go to.
int lowerBound(const Trip& start, const Distances& distances) {
    const std::vector<int> left = nextCities(start, distances);
    if (left.empty()) return start.length;
    int bound = start.length + distance(distances, start.cities.back(), left.front());
    for (const int city : left) {
        int nearest = distance(distances, city, 0);
        for (const int other : left) {
            if (other != city) nearest = std::min(nearest, distance(distances, city, other));
        }
        bound += nearest;
    }
    return bound;
}

Trip searchBelow(const Trip& start, const Distances& distances, int limit) {
    Trip best{{}, limit};
    if (start.cities.size() == distances.size()) return start.length < limit ? start : best;
    for (const int city : nextCities(start, distances)) {
        const Trip next = longer(start, city, distances);
        if (lowerBound(next, distances) >= best.length) continue;
        Trip found = searchBelow(next, distances, best.length);
        if (!found.cities.empty()) best = std::move(found);
    }
    return best;
}

int shortestByBruteForce(const Distances& distances) {
    std::vector<int> cities(distances.size() - 1);
    std::iota(cities.begin(), cities.end(), 1);
    int shortest = std::numeric_limits<int>::max();
    do {
        int length = 0, at = 0;
        for (const int city : cities) {
            length += distance(distances, at, city);
            at = city;
        }
        shortest = std::min(shortest, length + distance(distances, at, 0));
    } while (std::next_permutation(cities.begin(), cities.end()));
    return shortest;
}

}    // namespace trip
