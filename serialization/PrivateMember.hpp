#pragma once

// Pointers to private members, for generated views. An explicit instantiation may name any member:
//
//     namespace { struct Near; }
//     template struct ferry::detail::PrivateMember<Near, &Mass::near>;
//     using Place = ferry::View<&Mass::x, memberOf(ferry::detail::MemberSlot<Near>())>;
//
// The tag must be in an unnamed namespace, for two reasons. An explicit instantiation may appear only once in a program. And two classes of
// one name in two sources must not get each other's members. Argument-dependent lookup finds memberOf, so that it needs no other
// declaration.

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

/// Compiles only if an object of the class has as many bytes as the generator saw. May be instantiated for any class, also a private one.
template <class Tag, class T, unsigned long SeenBytes>
struct SeenClass {
    static_assert(sizeof(T) == SeenBytes,
                  "ferry: the compiler sees another class than ferrygen has seen (an outdated header, or other macros): generate again");
};

}    // namespace ferry::detail
