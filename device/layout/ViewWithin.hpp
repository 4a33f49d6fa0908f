#pragma once

#include <type_traits>

#include <ferry/device/layout/DeviceKind.hpp>

namespace ferry::detail {

template <class Shown, class Copied>
consteval bool isViewWithin();

template <auto Left, auto Right>
consteval bool isSameEntry() {
    if constexpr (!std::is_same_v<std::remove_const_t<decltype(Left)>, std::remove_const_t<decltype(Right)>>)
        return false;
    else if constexpr (std::is_member_pointer_v<decltype(Left)>)
        return Left == Right;
    else
        return true;    // the type tells all
}

template <auto Member, class V>
consteval bool isInsideWithin(InsideOf<Member, V>*, const void*) {
    return false;
}
template <auto Member, class V, class W>
consteval bool isInsideWithin(InsideOf<Member, V>*, InsideOf<Member, W>*) {
    return isViewWithin<V, W>();
}

/// Whether the entry of one View is shown by the entry of another.
template <auto Shown, auto Copied>
consteval bool isEntryWithin() {
    if constexpr (isSameEntry<Shown, Copied>())
        return true;
    else if constexpr (std::is_member_pointer_v<decltype(Shown)>)
        return false;
    else if constexpr (std::is_member_pointer_v<decltype(Copied)>)
        return []<auto Member, class V>(InsideOf<Member, V>*) { return isSameEntry<Member, Copied>(); }
    (static_cast<std::remove_const_t<decltype(Shown)>*>(nullptr));
    else return isInsideWithin(static_cast<std::remove_const_t<decltype(Shown)>*>(nullptr),
                               static_cast<std::remove_const_t<decltype(Copied)>*>(nullptr));
}

template <auto Shown, auto... Copied>
consteval bool isShownBy(View<Copied...>*) {
    return (isEntryWithin<Shown, Copied>() || ...);
}
template <auto... Shown, class Copied>
consteval bool areShownBy(View<Shown...>*, Copied* copied) {
    return (isShownBy<Shown>(copied) && ...);
}

template <class V>
struct WithoutOwner {
    using Type = V;
};
template <class V>
struct WithoutOwner<Owned<V>> {
    using Type = V;
};

/// Whether every member that the View Shown names was copied under the View Copied.
template <class Shown, class Copied>
consteval bool isViewWithin() {
    using Left = typename WithoutOwner<Shown>::Type;
    using Right = typename WithoutOwner<Copied>::Type;
    if constexpr (std::is_same_v<Right, Whole> || std::is_same_v<Left, Right>)
        return true;
    else if constexpr (std::is_same_v<Left, Null>)
        return true;
    else if constexpr (requires {
                           typename ViewOf<Left>;
                           typename ViewOf<Right>;
                       })
        return areShownBy(static_cast<ViewOf<Left>*>(nullptr), static_cast<ViewOf<Right>*>(nullptr));
    else
        return false;
}

}    // namespace ferry::detail
