#pragma once

#include <cstdint>

#include <ferry/serialization/reference/AddressMap.hpp>

namespace ferry {

/// How a graph's writer knows the objects of class T again: a class with a default constructor and a member
///
///     std::uint32_t& numberOf(const T* object);    // 0 for an object that it was not asked for before
///
/// whose result stays valid until the next call. Specialise it for a class of nodes to use a map of your own, or a mark inside the nodes:
///
///     template <>
///     struct ferry::IdentityMapFor<Node> {
///         using type = ferry::MarkMap<&Node::mark>;    // ferry::GraphMark mark; a member that is not listed in FERRY_FIELDS
///     };
///
/// Not for classes derived from IntSerializableObject, whose objects are known by one map for all of them.
template <class T>
struct IdentityMapFor {
    using type = AddressMap<sizeof(T)>;
};

/// Room for a graph's writer inside a node. Copies of the node may have any mark.
struct GraphMark {
    mutable std::uint32_t writer = 0;
    mutable std::uint32_t number = 0;
};

namespace detail {

/// A graph's writer that is under way and marks objects: its number, and those of the others on this thread.
class MarkingWriter {
public:
    MarkingWriter();
    MarkingWriter(const MarkingWriter&) = delete;
    MarkingWriter& operator=(const MarkingWriter&) = delete;
    ~MarkingWriter();

    /// From 1 on; no other writer of the last 2^32 - 1 has it.
    std::uint32_t number() const noexcept { return number_; }
    /// Errors: UsageError when another writer of this thread has left the mark and is not done.
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

/// Knows objects again by a mark that they hold: faster than any map, and nothing is allocated.
///
/// The marks are written, so an object must not be in two graphs that are written at the same time: on one thread (graphs that are posted)
/// the second is refused with a UsageError, on two it is a data race.
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
