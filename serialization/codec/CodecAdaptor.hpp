#pragma once

#include <cstddef>

#include <ferry/serialization/codec/CodecSequence.hpp>
#include <ferry/serialization/ints/algorithms.hpp>

// stack, queue and priority_queue travel as the container that they hold. The elements of a priority_queue lie in it as a heap.

namespace ferry {

namespace detail {

/// Whether an adaptor has an order: a priority_queue.
template <class T>
concept OrderedAdaptor = requires {
    typename T::value_compare;
};

/// Gives access to the order of a priority_queue.
template <class T>
struct OpenedOrder : T {
    static const typename T::value_compare& orderOf(const T& adaptor) { return adaptor.*&OpenedOrder::comp; }
};

}    // namespace detail

template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Adaptor)
struct Codec<T> {
    using Container = typename T::container_type;

    static_assert(detail::requireNoLoss<T>());
    static constexpr std::size_t minInts = ferry::detail::minInts<Container>;
    static constexpr bool isWritable = detail::Writable<Container>;
    static constexpr bool needsGraph = ferry::detail::needsGraph<Container>;

    static void write(IntWriter& out, const T& adaptor) { detail::writeValue(out, detail::OpenedAdaptor<T>::containerOf(adaptor)); }

    static void read(IntReader& in, T& adaptor) {
        Container& container = detail::OpenedAdaptor<T>::containerOf(adaptor);
        const std::size_t start = in.position();
        detail::readValue(in, container);
        if constexpr (detail::OrderedAdaptor<T>) {
            const auto& order = detail::OpenedOrder<T>::orderOf(adaptor);
            if (container.empty()) return;
            if (detail::isNullFunction(order)) {
                container.clear();
                detail::failNoKeyOrder(typeid(T));
            }
            if (std::is_heap(container.begin(), container.end(), order)) return;
            container.clear();
            in.rewind(start);
            in.fail("the elements of a priority_queue as a heap", "another order");
        }
    }
};

}    // namespace ferry
