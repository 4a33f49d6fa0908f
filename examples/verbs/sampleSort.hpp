#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <ferry/connector.hpp>

namespace verbs {

/// Returns up to 64 elements of sorted data, at equal distances.
template <class T>
std::vector<T> samplesOf(const std::vector<T>& sorted) {
    constexpr std::size_t count = 64;
    std::vector<T> samples;
    for (std::size_t i = 0; i < std::min(count, sorted.size()); ++i)
        samples.push_back(sorted[i * sorted.size() / std::min(count, sorted.size())]);
    return samples;
}

/// Returns the least element of each part but the first, when the samples are divided into parts of equal size. There is none for
/// samples of no data.
template <class T>
std::vector<T> splittersOf(std::vector<T> samples, std::size_t partCount) {
    std::sort(samples.begin(), samples.end());
    std::vector<T> splitters;
    for (std::size_t part = 1; part < partCount && !samples.empty(); ++part)
        splitters.push_back(samples[part * samples.size() / partCount]);
    return splitters;
}

/// Returns the number of elements of each part of sorted data.
template <class T>
std::vector<int> countsOfParts(const std::vector<T>& sorted, const std::vector<T>& splitters, int partCount) {
    std::vector<int> counts;
    auto begin = sorted.begin();
    for (const T& splitter : splitters) {
        const auto end = std::lower_bound(begin, sorted.end(), splitter);
        counts.push_back(static_cast<int>(end - begin));
        begin = end;
    }
    counts.push_back(static_cast<int>(sorted.end() - begin));
    counts.resize(static_cast<std::size_t>(partCount));
    return counts;
}

/// Merges sorted runs that lie side by side, two and two. counts: the length of each run.
template <class T>
void mergeRuns(std::vector<T>& data, std::vector<int> counts) {
    while (counts.size() > 1) {
        std::vector<int> merged;
        auto begin = data.begin();
        for (std::size_t run = 0; run + 1 < counts.size(); run += 2) {
            merged.push_back(counts[run] + counts[run + 1]);
            std::inplace_merge(begin, begin + counts[run], begin + merged.back());
            begin += merged.back();
        }
        if (counts.size() % 2 != 0) merged.push_back(counts.back());
        counts = merged;
    }
}

/// Sorts data that is distributed over all ranks. Each rank gets a part of the result.
/// No element of a rank is greater than an element of a later rank.
/// A sample of all elements determines the limits of the parts. Equal elements stay on one rank (Connector::sort divides them).
template <ferry::PlainData T>
std::vector<T> sampleSort(ferry::Connector& c, std::vector<T> data) {
    std::sort(data.begin(), data.end());
    const std::vector<T> splitters = splittersOf(c.allGather(samplesOf(data)), c.size());
    std::vector<int> counts = countsOfParts(data, splitters, c.size()), countsFrom;
    data = c.allToAll(data, {.counts = counts, .countsOut = &countsFrom});
    mergeRuns(data, countsFrom);
    return data;
}

}    // namespace verbs
