#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/collective/GridExchange.hpp>
#include <ferry/connector/collective/Ordered.hpp>
#include <ferry/connector/collective/ReproducibleReduction.hpp>
#include <ferry/connector/collective/SampleSort.hpp>
#include <ferry/connector/collective/shape/Attempt.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/verbs/NeighbourhoodCalls.hpp>

namespace ferry::detail {

/// The calls of a Connector that all ranks make together and that MPI does not have.
class AlgorithmCalls : public NeighbourhoodCalls {
public:
    /// Each rank runs the function after the rank before it: for output in the order of ranks. All standard output that a process has
    /// written by then is flushed. A launcher that collects the output of processes may still mix it. Returns when all ranks have run the
    /// function.
    /// Errors: an exception of the function on a rank is thrown on every rank. The ranks behind that one do not run the function.
    template <std::invocable Function>
    void ordered(Function&& function, Deadline deadline = Deadline::never()) {
        const DeadlineScope scope(mailbox_, deadline);
        detail::ordered(collectives_, function);
    }

    /// On the root: all elements of all ranks, in the order of ranks, combined to one by the operator. On the other ranks: T{}. The result
    /// is the same, bit for bit, for every distribution of the same elements over any number of ranks. It is also the result of
    /// reproducibleReduceHere(). The numbers of the elements alone decide which results are combined. So the operator need be neither
    /// associative nor commutative.
    /// The binary tree of combinations is that of Villa et al., "Effects of floating-point non-associativity on numerical computations on
    /// massively multithreaded systems" (CUG 2009). Each rank sends one partial result for each maximal subtree of its part (Stelz,
    /// "Core-Count Independent Reproducible Reduce", Karlsruhe 2022). These are at most two for each binary digit of the number of
    /// elements.
    /// Errors: exceptions of the operator, on the root and on the ranks between. UsageError on the same ranks when there is no element at
    /// all.
    template <std::default_initializable T, class Operator>
    T reproducibleReduce(const std::vector<T>& values, Operator combineTwo, int root = 0, Deadline deadline = Deadline::never()) {
        static_assert(!std::is_same_v<T, bool>,
                      "ferry: reproducibleReduce combines numbers and objects, no bools: call reduce with Or or And");
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::reproducibleReduce(collectives_, values, combineTwo, root);
    }

    /// Like reproducibleReduce(), with the result and the errors on every rank.
    template <std::default_initializable T, class Operator>
    T reproducibleAllReduce(const std::vector<T>& values, Operator combineTwo, Deadline deadline = Deadline::never()) {
        static_assert(!std::is_same_v<T, bool>,
                      "ferry: reproducibleAllReduce combines numbers and objects, no bools: call allReduce with Or or And");
        const DeadlineScope scope(mailbox_, deadline);
        return detail::reproducibleAllReduce(collectives_, values, combineTwo);
    }

    /// Sorts the elements of all ranks together, and returns this rank's part. The parts, in the order of ranks, are the result of
    /// std::stable_sort for the elements of all ranks, in the order of ranks.
    /// Of n elements on p ranks a part has at most about (1 + p / 64) * n / p. This bound holds for every distribution, and also when many
    /// elements are equal.
    /// Errors: an exception of the comparison, or of an element that is copied, moved, written or read, is thrown on every rank. Where plain
    /// elements have a noexcept comparison, a std::bad_alloc in the last step is thrown on its rank alone; the ranks stay in step.
    template <std::default_initializable T, class Compare = std::less<>>
    std::vector<T> sort(std::vector<T> values, Compare compare = {}, Deadline deadline = Deadline::never()) {
        static_assert(!std::is_same_v<T, bool>,
                      "ferry: sort takes no std::vector<bool>, whose elements are no bools: sort numbers, or count the bools");
        static_assert(detail::isCopyable<T>, "ferry: sort takes elements that can be copied (see T): samples of them go to all ranks");
        const DeadlineScope scope(mailbox_, deadline);
        using Sorter = detail::SampleSort<T, Compare>;
        using Samples = std::vector<detail::SortSample<T>>;
        const auto totalCount = allReduce(static_cast<std::uint64_t>(values.size()), Sum{});
        std::optional<Sorter> sorter;
        auto ownSamples = detail::Attempt<Samples>::at([&] {
            sorter.emplace(rank(), size(), std::move(values), compare);
            return sorter->samples(totalCount);
        });
        const std::vector<detail::Attempt<Samples>> allSamples = allGather(ownSamples);
        const auto divide = [&] {
            Samples samples;
            for (const detail::Attempt<Samples>& part : allSamples) detail::AppendAll()(samples, part.take(factory_));
            return sorter->divide(std::move(samples));
        };
        if constexpr (PlainData<T> && std::is_nothrow_invocable_v<Compare&, const T&, const T&>) {
            return sorter->merge(detail::allToAllMade<std::vector<T>>(collectives_, divide));
        } else {
            using Part = detail::Attempt<std::vector<T>>;
            const std::vector<Part> incoming = detail::allToAllMade<Part>(collectives_, [&] {
                std::vector<Part> outgoing;
                for (const std::vector<T>& part : divide()) outgoing.push_back(Part::of(part));
                return outgoing;
            });
            return madeOnAllRanks([&] {
                std::vector<std::vector<T>> parts;
                for (const Part& part : incoming) parts.push_back(part.take(factory_));
                return sorter->merge(std::move(parts));
            });
        }
    }

    /// Exchanges values like allToAll(), by two hops over a grid of the ranks. Each rank sends about 2 * sqrt(size()) messages instead of
    /// size() - 1, and each value travels twice. This pays for many ranks with small values: the fixed cost of a message must be greater
    /// than the cost of its contents. Errors: a value that cannot be written or read is an error also on ranks whose values travel with it.
    template <std::default_initializable T>
    std::vector<T> gridAllToAll(const std::vector<T>& values, Deadline deadline = Deadline::never()) {
        static_assert(detail::isCopyable<T>,
                      "ferry: values that cannot be copied (see T) do not go by two hops: give them away with startAllToAll, and get()");
        const DeadlineScope scope(mailbox_, deadline);
        return detail::gridAllToAll(collectives_, values);
    }

protected:
    using NeighbourhoodCalls::NeighbourhoodCalls;
    ~AlgorithmCalls() = default;

private:
    /// Returns what the function makes. When the function fails on a rank, every rank throws the exception.
    template <class Function>
    auto madeOnAllRanks(const Function& function) {
        std::optional<std::invoke_result_t<const Function&>> made;
        const auto end = detail::Attempt<bool>::at([&] {
            made.emplace(function());
            return true;
        });
        if (allReduce(static_cast<int>(end.hasFailed()), Max{}) != 0) {
            for (const detail::Attempt<bool>& each : allGather(end)) each.take(factory_);
        }
        return std::move(*made);
    }
};

}    // namespace ferry::detail
