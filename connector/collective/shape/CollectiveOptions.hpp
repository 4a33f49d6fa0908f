#pragma once

#include <span>
#include <vector>

#include <ferry/connector/collective/shape/Into.hpp>
#include <ferry/connector/message/letter/Deadline.hpp>

namespace ferry {

// Options of a collective of plain data besides its values, given by name:
//     std::vector<double> all = connector.allGather(mine, {.counts = counts});
//     connector.allGather(mine, {.counts = counts, .into = buffer})
// Without .into the call returns a vector. With .into the result goes into the caller's memory. The call then returns the filled part of
// that memory, and allocates nothing on ranks with a board. Counts that are given are compared with the numbers of elements of the ranks.
// countsOut gets the number of elements of each rank. displacementsOut gets the index of each rank's first element.
// Displacements say where the elements of each rank lie in the caller's memory. A rank that gives displacements copies its elements once
// more.

namespace detail {

/// The options of allGather when the result is returned by value.
struct AllGatherByValue {
    std::span<const int> counts{};                   ///< number of elements of each rank; empty: not known
    std::vector<int>* countsOut = nullptr;           ///< gets the number of elements of each rank
    std::vector<int>* displacementsOut = nullptr;    ///< gets the index of each rank's first element in the result
    Deadline deadline = Deadline::never();
};

}    // namespace detail

/// The options of allGather.
template <class T>
struct AllGatherOptions {
    std::span<const int> counts{};            ///< number of elements of each rank; empty: not known
    std::span<const int> displacements{};     ///< index in the memory of each rank's first element; empty: the ranks lie side by side
    detail::Into<T> into;                     ///< memory for all elements
    std::vector<int>* countsOut = nullptr;    ///< gets the number of elements of each rank
    std::vector<int>* displacementsOut = nullptr;    ///< gets the index of each rank's first element in the result
    Deadline deadline = Deadline::never();
};

namespace detail {

/// The options of gather when the result is returned by value.
struct GatherByValue {
    int root = 0;
    std::span<const int> counts{};                   ///< number of elements of each rank, on the root; empty: not known
    std::vector<int>* countsOut = nullptr;           ///< gets the number of elements of each rank, on the root; is empty on the others
    std::vector<int>* displacementsOut = nullptr;    ///< gets the index of each rank's first element in the result
    Deadline deadline = Deadline::never();
};

}    // namespace detail

/// The options of gather.
template <class T>
struct GatherOptions {
    int root = 0;
    std::span<const int> counts{};            ///< number of elements of each rank, on the root; empty: not known
    std::span<const int> displacements{};     ///< index in the memory of each rank's first element; empty: the ranks lie side by side
    detail::Into<T> into;                     ///< memory for all elements, on the root
    std::vector<int>* countsOut = nullptr;    ///< gets the number of elements of each rank, on the root; is empty on the others
    std::vector<int>* displacementsOut = nullptr;    ///< gets the index of each rank's first element in the result
    Deadline deadline = Deadline::never();
};

namespace detail {

/// The options of scatter when the result is returned by value.
struct ScatterByValue {
    int root = 0;
    std::span<const int> counts{};           ///< number of elements for each rank, on the root; empty: blocks of one length
    std::span<const int> displacements{};    ///< index of each rank's first element, on the root; empty: the blocks lie side by side
    Deadline deadline = Deadline::never();
};

}    // namespace detail

/// The options of scatter.
template <class T>
struct ScatterOptions {
    int root = 0;
    std::span<const int> counts{};           ///< number of elements for each rank, on the root; empty: blocks of one length
    std::span<const int> displacements{};    ///< index of each rank's first element, on the root; empty: the blocks lie side by side
    detail::Into<T> into;                    ///< memory for this rank's elements
    Deadline deadline = Deadline::never();
};

namespace detail {

/// The options of allToAll when the result is returned by value.
struct AllToAllByValue {
    std::span<const int> counts{};                   ///< number of elements for each rank; empty: blocks of one length
    std::span<const int> displacements{};            ///< index of each rank's first element; empty: the blocks lie side by side
    std::span<const int> countsFrom{};               ///< number of elements from each rank; empty: not known
    std::vector<int>* countsOut = nullptr;           ///< gets the number of elements from each rank
    std::vector<int>* displacementsOut = nullptr;    ///< gets the index of each rank's first element in the result
    Deadline deadline = Deadline::never();
};

}    // namespace detail

/// The options of allToAll.
template <class T>
struct AllToAllOptions {
    std::span<const int> counts{};               ///< number of elements for each rank; empty: blocks of one length
    std::span<const int> displacements{};        ///< index of each rank's first element; empty: the blocks lie side by side
    std::span<const int> countsFrom{};           ///< number of elements from each rank; empty: not known
    std::span<const int> displacementsFrom{};    ///< index in the memory of each rank's first element; empty: the ranks lie side by side
    detail::Into<T> into;                        ///< memory for all elements that come
    std::vector<int>* countsOut = nullptr;       ///< gets the number of elements from each rank
    std::vector<int>* displacementsOut = nullptr;    ///< gets the index of each rank's first element in the result
    Deadline deadline = Deadline::never();
};

namespace detail {

/// The options of reduce when the result is returned by value.
struct ReduceByValue {
    int root = 0;
    Deadline deadline = Deadline::never();
};

}    // namespace detail

/// The options of reduce.
template <class T>
struct ReduceOptions {
    int root = 0;
    detail::Into<T> into;    ///< memory for as many elements as each rank has, on the root; may be the values themselves
    Deadline deadline = Deadline::never();
};

namespace detail {

/// The options of allReduce when the result is returned by value.
struct AllReduceByValue {
    Deadline deadline = Deadline::never();
};

}    // namespace detail

/// The options of allReduce.
template <class T>
struct AllReduceOptions {
    detail::Into<T> into;    ///< memory for as many elements as each rank has; may be the values themselves
    Deadline deadline = Deadline::never();
};

/// The index of the first element of each rank, when the elements of all ranks lie side by side. Errors: UsageError for an index that is no
/// int.
std::vector<int> displacementsOf(std::span<const int> counts);

}    // namespace ferry
