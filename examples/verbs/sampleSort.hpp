#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

#include <ferry/connector.hpp>

namespace verbs {

/// Sorts data that is distributed over all ranks. Each rank gets a part of the result.
/// No element of a rank is greater than an element of a later rank.
/// A sample of all elements determines the limits of the parts. Equal elements stay on one rank (Connector::sort divides them).
template <class T>
std::vector<T> sampleSort(ferry::Connector& c, std::vector<T> data) {
    std::vector<T> samples;
    std::sample(data.begin(), data.end(), std::back_inserter(samples), 64, std::mt19937(c.rank()));
    samples = c.allGather(samples);
    std::sort(samples.begin(), samples.end());
    std::vector<std::vector<T>> parts(c.size());
    for (T& value : data) {
        const auto above = std::lower_bound(samples.begin(), samples.end(), value) - samples.begin();
        parts[above * c.size() / (samples.size() + 1)].push_back(std::move(value));
    }
    data = ferry::flat(c.allToAll(parts));
    std::sort(data.begin(), data.end());
    return data;
}

}    // namespace verbs
