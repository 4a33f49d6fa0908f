#pragma once

// Pointers to members that a class shows to nobody, for generated views. An explicit instantiation may name any member:
//
//     namespace { struct Near; }
//     template struct ferry::detail::PrivateMember<Near, &Mass::near>;
//     using Place = ferry::View<&Mass::x, memberOf(ferry::detail::MemberSlot<Near>())>;
//
// The tag belongs into an unnamed namespace: an explicit instantiation may appear once in a program only, and two classes of one name in
// two sources must not get each other's members. memberOf is found by its argument, and so is not declared anywhere else.

namespace ferry::detail {

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
template <class Tag>
struct MemberSlot {
    friend constexpr auto memberOf(MemberSlot<Tag>);
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

template <class Tag, auto Member>
struct PrivateMember {
    friend constexpr auto memberOf(MemberSlot<Tag>) { return Member; }
};

/// Compiles when an object of the class has as many bytes as the generator saw. Any class can be named where it is instantiated.
template <class Tag, class T, unsigned long SeenBytes>
struct SeenClass {
    static_assert(sizeof(T) == SeenBytes,
                  "ferry: the compiler sees another class than ferrygen has seen (an outdated header, or other macros): generate again");
};

}    // namespace ferry::detail
