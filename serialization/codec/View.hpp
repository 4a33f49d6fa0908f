#pragma once

namespace ferry {

/// A part of the objects of a class: these members, in this order. A class can have any number of views and need not know them.
///
///     using Place = ferry::View<&Mass::x, &Mass::y>;
///     connector.send(1, ferry::part<Place>(mass));                // x and y only
///     connector.receiveInto(0, ferry::part<Place>(mass));         // the other members stay as they are
///
/// A member is a pointer to a member, also of a base class. Another form is ferry::inside<&Mass::near, Name>: only a part of that member. A
/// class shows private members to others by a View in its public part. A struct derived from a View is the same view with its own name. It
/// may refer to itself: struct Tree : ferry::View<&Node::key, ferry::inside<&Node::children, Tree>> {};
template <auto... Members>
struct View {};

namespace detail {

/// The type of inside<>.
template <auto Member, class ViewOfMember>
struct InsideOf {};

}    // namespace detail

/// In a View: a part of the member. For a vector, list or array: this part of each element. For an optional or unique_ptr: this part of the
/// object inside it.
template <auto Member, class ViewOfMember>
inline constexpr detail::InsideOf<Member, ViewOfMember> inside{};

/// In place of a view: the whole object.
struct Whole {};

/// In place of a view, for a raw pointer that is null or owns one object made with new. Travels as 0, or as 1 and this part of the object.
/// Reading makes and deletes the object as needed.
template <class ViewOfObject = Whole>
struct Owned {};

/// In place of a view, for any pointer: nothing travels, and reading sets the pointer to null. Its object is not deleted.
struct Null {};

/// In place of a view, for a unique_ptr, shared_ptr or owning raw pointer to a base class. Travels as the index of the object's dynamic
/// type in this list of classes, then the part of the object. Errors: UsageError for an object of another class.
template <class... Choices>
struct OneOf {};
/// One class for OneOf, and the part of it that travels.
template <class ChosenClass, class ViewOfObject>
struct Choice {
    using Class = ChosenClass;
    using View = ViewOfObject;
};

/// The allocator of an array behind a raw pointer: new[]. Reading frees the old array with delete[].
struct FromNew {};
/// The allocator of an array behind a raw pointer: malloc, as in C. Reading frees the old array with free.
struct FromMalloc {};

namespace detail {

/// The type of counted<>.
template <class Lengths, class... Arrays>
struct Counted {};

}    // namespace detail

/// In a View: arrays behind raw pointers or unique_ptr<T[]>. Their length is the product of these integers. The lengths travel once, then
/// the elements of each array. Reading replaces all arrays together and deletes the old ones.
template <class Lengths, class... Arrays>
inline constexpr detail::Counted<Lengths, Arrays...> counted{};
/// In counted<>: the members that hold the lengths.
template <auto... Members>
struct CountedBy {};
/// In counted<>: the member that leads to an array.
template <auto Member, class ViewOfElement = Whole, class Memory = FromNew>
struct ArrayAt {};

namespace detail {

/// The type of bitField<>.
template <class Access>
struct BitField {};

}    // namespace detail

/// In a View: a bit-field, because C++ has no pointer to a bit-field. Access has a type Value, get(object) and set(object, value).
template <class Access>
inline constexpr detail::BitField<Access> bitField{};

namespace detail {

/// A part of an object. A part can be written and read wherever the object can.
///
/// Ownership: refers to the object, which must outlive it.
template <class ViewOfObject, class T>
struct Part {
    T& object;
};

}    // namespace detail

/// The part of the object that the view shows.
template <class ViewOfObject, class T>
detail::Part<ViewOfObject, T> part(T& object) {
    return {object};
}
template <class ViewOfObject, class T>
void part(const T&& temporary) = delete;

}    // namespace ferry
