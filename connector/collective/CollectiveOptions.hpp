#pragma once

#include <span>

#include <ferry/connector/message/Deadline.hpp>

namespace ferry {

// Options of a collective of plain data besides its values, given by name:
//     connector.allGather(mine, {.counts = counts, .into = buffer})
// The result goes into the caller's memory. The call returns the filled part of that memory. On ranks with a board no memory is allocated.
// Counts, where they are given, are compared with the numbers of elements that the ranks bring.

/// The options of allGather.
template <class T>
struct AllGatherOptions {
    std::span<const int> counts{};    ///< number of elements of each rank; empty: not known
    std::span<T> into;                ///< memory for all elements
    Deadline deadline = Deadline::never();
};

/// The options of gather.
template <class T>
struct GatherOptions {
    int root = 0;
    std::span<const int> counts{};    ///< number of elements of each rank, on the root; empty: not known
    std::span<T> into{};              ///< memory for all elements, on the root
    Deadline deadline = Deadline::never();
};

/// The options of scatter.
template <class T>
struct ScatterOptions {
    int root = 0;
    std::span<const int> counts{};    ///< number of elements for each rank, on the root
    std::span<T> into;                ///< memory for this rank's elements
    Deadline deadline = Deadline::never();
};

/// The options of allToAll.
template <class T>
struct AllToAllOptions {
    std::span<const int> counts;          ///< number of elements for each rank
    std::span<const int> countsFrom{};    ///< number of elements from each rank; empty: not known
    std::span<T> into;                    ///< memory for all elements that come
    Deadline deadline = Deadline::never();
};

/// The options of reduce.
template <class T>
struct ReduceOptions {
    int root = 0;
    std::span<T> into{};    ///< memory for as many elements as each rank has, on the root; may be the values themselves
    Deadline deadline = Deadline::never();
};

/// The options of allReduce.
template <class T>
struct AllReduceOptions {
    std::span<T> into;    ///< memory for as many elements as each rank has; may be the values themselves
    Deadline deadline = Deadline::never();
};

}    // namespace ferry
