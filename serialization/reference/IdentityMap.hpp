#pragma once

#include <cstdint>

#include <ferry/serialization/ints/AggregateFields.hpp>
#include <ferry/serialization/reference/AddressMap.hpp>

namespace ferry {

/// Lets a graph writer recognise objects of class T. `type` is a class with a default constructor and a member
///
///     std::uint32_t& numberOf(const T* object);    // 0 for an object that was not looked up before
///
/// The result is valid until the next call. Specialise IdentityMapFor for a class of nodes to use your own map, or a mark inside the nodes:
///
///     template <>
///     struct ferry::IdentityMapFor<Node> {
///         using type = ferry::MarkMap<&Node::mark>;    // ferry::GraphMark mark; a member that is not listed in FERRY_FIELDS
///     };
///
/// Not for classes derived from IntSerializableObject. All objects of these classes share one map.
template <class T>
struct IdentityMapFor {
    using type = detail::AddressMap<sizeof(T)>;
};

/// Room for a graph writer's mark inside a node. Copies of the node may have any mark.
struct GraphMark {
    mutable std::uint32_t writer = 0;
    mutable std::uint32_t number = 0;
};

namespace detail {

template <>
inline constexpr bool staysBehind<GraphMark> = true;

/// A graph writer at work that marks objects. Knows its own number and the numbers of the other such writers on this thread.
class MarkingWriter {
public:
    MarkingWriter();
    MarkingWriter(const MarkingWriter&) = delete;
    MarkingWriter& operator=(const MarkingWriter&) = delete;
    ~MarkingWriter();

    /// The writer's number, from 1 on. This number differs from the numbers of the last 2^32 - 1 writers.
    std::uint32_t number() const noexcept { return number_; }
    /// Errors: UsageError when another unfinished writer of this thread has left the mark.
    void requireFree(std::uint32_t mark) const;

private:
    std::uint32_t number_;
};

template <class Member>
struct MarkMember;
template <class T>
struct MarkMember<GraphMark T::*> {
    using Class = T;
};

}    // namespace detail

/// Recognises objects by a mark inside them. A mark is faster than any map and needs no allocation.
///
/// The marks are written, so that an object must not be in two graphs that are written at the same time. On one thread (graphs that are
/// posted), the second graph is refused with a UsageError. On two threads, this is a data race.
template <auto Mark>
class MarkMap {
public:
    using Class = typename detail::MarkMember<decltype(Mark)>::Class;

    std::uint32_t& numberOf(const Class* object) const {
        const GraphMark& mark = object->*Mark;
        if (mark.writer != writer_.number()) {
            if (mark.writer != 0) writer_.requireFree(mark.writer);
            mark.writer = writer_.number();
            mark.number = 0;
        }
        return mark.number;
    }

private:
    detail::MarkingWriter writer_;
};

}    // namespace ferry
