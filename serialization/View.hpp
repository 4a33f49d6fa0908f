#pragma once

namespace ferry {

/// A part of the objects of some class: these members, in this order. A class can have any number of views, and need not know of them.
///
///     using Place = ferry::View<&Mass::x, &Mass::y>;
///     connector.send(1, ferry::part<Place>(mass));                // x and y only
///     connector.receiveInto(0, ferry::part<Place>(mass));         // the other members stay as they are
///
/// Members are pointers to members, of base classes too, or ferry::inside<&Mass::near, Name>: a part of the member only. A class shows
/// private members to others by a View in its public part.
template <auto... Members>
struct View {};

/// The type of inside<>.
template <auto Member, class ViewOfMember>
struct Inside {};

/// Stands in a View for a part of the member. Of a vector, list or array it is that part of each element, of an optional or unique_ptr
/// that part of what it holds.
template <auto Member, class ViewOfMember>
inline constexpr Inside<Member, ViewOfMember> inside{};

/// A part of an object: can be written and read wherever the object could.
///
/// Ownership: refers to the object, which must outlive it.
template <class ViewOfObject, class T>
struct Part {
    T& object;
};

/// The part of the object that the view shows.
template <class ViewOfObject, class T>
Part<ViewOfObject, T> part(T& object) {
    return {object};
}
template <class ViewOfObject, class T>
void part(const T&& temporary) = delete;

}    // namespace ferry
