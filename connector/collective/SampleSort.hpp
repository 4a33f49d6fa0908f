#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/ints/algorithms.hpp>

namespace ferry::detail {

/// An element and its origin, which decides between equal elements. So no two samples are equal, and the sort is stable.
template <class T>
struct SortSample {
    T value{};
    std::int32_t rank = 0;
    std::uint64_t place = 0;    ///< index among the sorted elements of the rank
    FERRY_FIELDS(value, rank, place)
};

/// One rank's part of a sort of all ranks' elements. Each rank takes samples of its own sorted elements. From the samples of all ranks
/// every rank finds the same splitters, and how they divide its own elements. The class moves nothing between ranks.
template <class T, class Compare>
class SampleSort {
public:
    /// The number of samples for each part. With at most as many elements on every rank, each element is a sample.
    static constexpr std::uint64_t samplesPerPart = 64;

    SampleSort(int rank, int rankCount, std::vector<T> values, Compare& compare)
        : rank_(rank),
          rankCount_(static_cast<std::size_t>(rankCount)),
          values_(std::move(values)),
          compare_(compare) {
        if constexpr (areEqualOnesTheSame) {
            std::sort(values_.begin(), values_.end(), compare_);
        } else {
            std::stable_sort(values_.begin(), values_.end(), compare_);
        }
    }

    /// Takes one element in each step. The length of a step is the same on every rank, so that about samplesPerPart samples come to each
    /// part. totalCount: the number of elements of all ranks.
    std::vector<SortSample<T>> samples(std::uint64_t totalCount) const {
        const std::uint64_t step = std::max<std::uint64_t>(totalCount / (samplesPerPart * rankCount_), 1);
        std::vector<SortSample<T>> samples;
        for (std::uint64_t place = step / 2; place < values_.size(); place += step) samples.push_back({values_[place], rank_, place});
        return samples;
    }

    /// Returns the elements for each rank, sorted. The object has no elements afterwards.
    std::vector<std::vector<T>> divide(std::vector<SortSample<T>> samples) {
        std::sort(samples.begin(), samples.end(), [this](const auto& one, const auto& other) { return isBefore(one, other); });
        std::vector<std::vector<T>> parts(rankCount_);
        auto begin = values_.begin();
        for (std::size_t part = 0; part < rankCount_; ++part) {
            const std::size_t splitter = (part + 1) * samples.size() / rankCount_;
            const auto end = splitter < samples.size() ? std::max(begin, endBefore(samples[splitter])) : values_.end();
            parts[part].assign(std::make_move_iterator(begin), std::make_move_iterator(end));
            begin = end;
        }
        values_.clear();
        return parts;
    }

    /// Merges the sorted parts that the ranks had for this rank, in the order of ranks.
    std::vector<T> merge(std::vector<std::vector<T>> parts) const {
        std::vector<T> all;
        std::vector<std::size_t> ends{0};
        for (std::vector<T>& part : parts) {
            all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
            ends.push_back(all.size());
        }
        for (std::size_t width = 1; width < parts.size(); width *= 2) {
            for (std::size_t left = 0; left + width < parts.size(); left += 2 * width) {
                const std::size_t right = std::min(left + 2 * width, parts.size());
                const auto at = [&](std::size_t part) { return all.begin() + static_cast<std::ptrdiff_t>(ends[part]); };
                std::inplace_merge(at(left), at(left + width), at(right), compare_);
            }
        }
        return all;
    }

private:
    /// Tells whether equal elements are indistinguishable, so that their order does not matter.
    static constexpr bool areEqualOnesTheSame =
        std::is_integral_v<T> && (std::is_same_v<Compare, std::less<>> || std::is_same_v<Compare, std::greater<>>);

    bool isBefore(const SortSample<T>& one, const SortSample<T>& other) const {
        if (compare_(one.value, other.value)) return true;
        if (compare_(other.value, one.value)) return false;
        return std::tie(one.rank, one.place) < std::tie(other.rank, other.place);
    }

    /// Returns the position behind this rank's elements that come before the splitter.
    typename std::vector<T>::iterator endBefore(const SortSample<T>& splitter) {
        if (splitter.rank == rank_) return values_.begin() + static_cast<std::ptrdiff_t>(splitter.place);
        if (splitter.rank < rank_) return std::lower_bound(values_.begin(), values_.end(), splitter.value, compare_);
        return std::upper_bound(values_.begin(), values_.end(), splitter.value, compare_);
    }

    int rank_;
    std::size_t rankCount_;
    std::vector<T> values_;
    Compare& compare_;
};

}    // namespace ferry::detail
