#pragma once

#include <span>

#include <ferry/connector/message/Deadline.hpp>

namespace ferry {

// Options of a collective of plain data, given by name besides its values:
//     connector.allGather(mine, {.counts = counts, .into = buffer})
// The result goes into the caller's memory, which is returned as far as it is filled; no memory is asked for. Counts, where they are
// given, are compared with what the ranks bring.

template <class T>
struct AllGatherOptions {
    std::span<const int> counts{};    ///< of each rank's elements; empty: not known
    std::span<T> into;                ///< for all elements
    Deadline deadline = Deadline::never();
};

template <class T>
struct GatherOptions {
    int root = 0;
    std::span<const int> counts{};    ///< the same, on the root
    std::span<T> into{};              ///< for all elements, on the root
    Deadline deadline = Deadline::never();
};

template <class T>
struct ScatterOptions {
    int root = 0;
    std::span<const int> counts{};    ///< of each rank's elements, on the root
    std::span<T> into;                ///< for this rank's elements
    Deadline deadline = Deadline::never();
};

template <class T>
struct AllToAllOptions {
    std::span<const int> counts;          ///< of the elements for each rank
    std::span<const int> countsFrom{};    ///< of the elements from each rank; empty: not known
    std::span<T> into;                    ///< for all elements that come
    Deadline deadline = Deadline::never();
};

template <class T>
struct ReduceOptions {
    int root = 0;
    std::span<T> into{};    ///< for as many elements as each rank has, on the root; may be the values themselves
    Deadline deadline = Deadline::never();
};

template <class T>
struct AllReduceOptions {
    std::span<T> into;    ///< for as many elements as each rank has; may be the values themselves
    Deadline deadline = Deadline::never();
};

}    // namespace ferry
