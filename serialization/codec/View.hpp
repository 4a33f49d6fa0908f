#pragma once

namespace ferry {

/// A part of the objects of some class: these members, in this order. A class can have any number of views, and need not know of them.
///
///     using Place = ferry::View<&Mass::x, &Mass::y>;
///     connector.send(1, ferry::part<Place>(mass));                // x and y only
///     connector.receiveInto(0, ferry::part<Place>(mass));         // the other members stay as they are
///
/// Members are pointers to members, of base classes too, or ferry::inside<&Mass::near, Name>: a part of the member only. A class shows
/// private members to others by a View in its public part. A struct derived from a View is that view under a name of its own, which may
/// stand inside itself: struct Tree : ferry::View<&Node::key, ferry::inside<&Node::children, Tree>> {};
template <auto... Members>
struct View {};

/// The type of inside<>.
template <auto Member, class ViewOfMember>
struct Inside {};

/// Stands in a View for a part of the member. Of a vector, list or array it is that part of each element, of an optional or unique_ptr
/// that part of what it holds.
template <auto Member, class ViewOfMember>
inline constexpr Inside<Member, ViewOfMember> inside{};

/// In the place of a view: all of the object.
struct Whole {};

/// In the place of a view, for a raw pointer that is null or owns one object made with new: 0, or 1 and that part of the object. Reading
/// makes and deletes the object as needed.
template <class ViewOfObject = Whole>
struct Owned {};

/// In the place of a view, for any pointer: nothing travels, and reading sets it to null. What it pointed to is not deleted.
struct Null {};

/// In the place of a view, for a unique_ptr, shared_ptr or owning raw pointer to a base class: which of these classes the object is, by
/// its dynamic type, and its part. Errors: UsageError for an object of another class.
template <class... Choices>
struct OneOf {};
/// One class for OneOf, and what of it travels.
template <class ChosenClass, class ViewOfObject>
struct Choice {
    using Class = ChosenClass;
    using View = ViewOfObject;
};

/// Where the memory of an array behind a raw pointer comes from: new[], or malloc, as in C. Reading gives the old one back in the same way.
struct FromNew {};
struct FromMalloc {};

/// Stands in a View for arrays (behind raw pointers, or unique_ptr<T[]>) whose length is the product of these integers: the lengths travel
/// once, then the elements of each array. Reading replaces the arrays, all together, and deletes the old ones.
template <class Lengths, class... Arrays>
struct Counted {};
template <class Lengths, class... Arrays>
inline constexpr Counted<Lengths, Arrays...> counted{};
template <auto... Members>
struct CountedBy {};
template <auto Member, class ViewOfElement = Whole, class Memory = FromNew>
struct ArrayAt {};

/// Stands in a View for a bit-field, to which no pointer can lead: Access has a type Value, get(object) and set(object, value).
template <class Access>
struct BitField {};
template <class Access>
inline constexpr BitField<Access> bitField{};

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
