#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include <ferry/device/image/ImageActions.hpp>
#include <ferry/device/image/ImagePartReturn.hpp>
#include <ferry/device/layout/DeviceKind.hpp>
#include <ferry/device/layout/DeviceRefusal.hpp>
#include <ferry/device/layout/StandardLayout.hpp>
#include <ferry/device/layout/ViewWithin.hpp>

// The walk over one object: calls an action for its bytes and its pointers. The image of an object has the object's own layout, so that a
// member lies at its offset in the object.

namespace ferry::detail {

[[noreturn]] void failArrayCount();
constexpr std::size_t MostBytesOfArray = std::numeric_limits<std::ptrdiff_t>::max();

template <class T, class Member>
std::byte* placeIn(std::byte* image, const T& object, const Member& member) noexcept {
    return image +
           (reinterpret_cast<const std::byte*>(std::addressof(member)) - reinterpret_cast<const std::byte*>(std::addressof(object)));
}

/// A part of an object of class E, without a name of its own.
template <class E>
struct ImageElementOf {
    using Owner = E;
    static constexpr std::string_view name() { return "an element"; }
};

/// Whether pointers may lead to objects of U. Otherwise the compiler reports the member. A View of a class with virtual functions may show
/// its data.
template <class Where, class Pointer, class V>
consteval bool requireDevicePointee() {
    using U = std::remove_cv_t<std::remove_pointer_t<Pointer>>;
    if constexpr (std::is_function_v<U> || std::is_void_v<U> || isArithmeticLike<U> || std::is_pointer_v<U> ||
                  (std::is_same_v<V, Whole> && deviceKind<U> == DeviceKind::Refused))
        return refuseMember<Where, Pointer>();
    else
        return true;
}
template <class Where, class E, class V>
consteval bool requireDeviceElement() {
    if constexpr (!std::is_same_v<V, Whole>)
        return true;
    else if constexpr (std::is_pointer_v<E>)
        return requireDevicePointee<Where, E, Whole>();
    else if constexpr (deviceKind<E> == DeviceKind::Refused)
        return refuseMember<Where, E>();
    else
        return true;
}

template <class V>
inline constexpr bool isOwnedView = false;
template <class V>
inline constexpr bool isOwnedView<Owned<V>> = true;
template <class V>
inline constexpr bool isOneOfView = false;
template <class... C>
inline constexpr bool isOneOfView<OneOf<C...>> = true;

template <class V, class Where, class Action, class T>
void walkValue(Action& action, T& host, std::byte* image);

/// Takes the length of an array to the device. On the way back the host keeps its length: returns whether that of the device is the same.
template <class Action, class T, class Count>
bool walkLength(Action& action, T& object, std::byte* image, Count& count) {
    std::byte* place = placeIn(image, object, count);
    if constexpr (Action::isReturn) {
        return std::memcmp(place, std::addressof(count), sizeof(count)) == 0;
    } else {
        action.block(std::addressof(count), place, sizeof(count));
        return true;
    }
}

/// isLengthKept: what walkLength() returned for all counts.
template <class Where, class V, class Action, class Pointer, class... Counts>
void walkArray(Action& action, Pointer& pointer, std::byte* image, bool isLengthKept, const Counts&... counts) {
    using U = ArrayElement<Pointer>;
    if constexpr (requireDeviceElement<Where, U, V>()) {
        std::size_t count = 0;
        if (!multiplyLengths(count, counts...) || count > MostBytesOfArray / sizeof(U)) failArrayCount();
        if constexpr (!Action::isReturn) {
            if (count != 0 && pointer == nullptr) failNullArrayAt(placeOf<Where>());
        }
        if constexpr (Action::isDiscovery) noteArraysOf<U>();
        if constexpr (std::is_pointer_v<Pointer>) {
            action.template array<Where, U, V>(pointer, image, count, isLengthKept);
        } else {    // a unique_ptr<U[]>
            const std::uintptr_t address = action.template owned<Where, U, V>(pointer.get(), count, LeadBy::Array);
            if constexpr (Action::isReturn) {
                if (!isLengthKept) action.failShape(placeOf<Where>());
            }
            action.template words<Where>(image, std::array<std::uintptr_t, 1>{address});
        }
    }
}

/// Requires that a field lies in its object. The compiler knows that an ordinary member does, and leaves the check out.
/// Errors: UsageError for a reference and for a static member.
template <class Where, class Action, class T, class Field>
void requireInside(const T& object, const Field& field) {
    if constexpr (Action::isDiscovery) {
        const auto place = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(std::addressof(field)) -
                                                    reinterpret_cast<const std::byte*>(std::addressof(object)));
        if (place >= sizeof(T)) failOutside(placeOf<Where>());
    }
}

/// One entry of FERRY_FIELDS.
template <class Class, std::size_t Index, class Action, class T, class Field>
void walkField(Action& action, T& object, std::byte* image, Field&& field) {
    using Entry = std::remove_cvref_t<Field>;
    using Where = FieldOf<Class, Index>;
    if constexpr (isBasePart<Entry>) {
        walkValue<Whole, Where>(action, field.object, placeIn(image, object, field.object));
    } else if constexpr (isFieldProxy<Entry> && requires { field.counts; }) {
        requireInside<Where, Action>(object, field.pointer);
        std::apply(
            [&](auto&... counts) {
                (requireInside<Where, Action>(object, counts), ...);
                bool isLengthKept = true;
                ((isLengthKept = walkLength(action, object, image, counts) && isLengthKept), ...);
                walkArray<Where, Whole>(action, field.pointer, placeIn(image, object, field.pointer), isLengthKept, counts...);
            },
            field.counts);
    } else if constexpr (isFieldProxy<Entry> && requires { field.pointer; }) {
        requireInside<Where, Action>(object, field.pointer);
        walkValue<Whole, Where>(action, field.pointer, placeIn(image, object, field.pointer));
    } else {
        requireInside<Where, Action>(object, field);
        walkValue<Whole, Where>(action, field, placeIn(image, object, field));
    }
}

template <auto Member, class Action, class T>
void walkShown(Action& action, T& object, std::byte* image) {
    using Class = std::remove_const_t<T>;
    if constexpr (std::is_member_pointer_v<decltype(Member)>) {
        auto& member = shown(object, Member);
        walkValue<Whole, ShownOf<Class, Member>>(action, member, placeIn(image, object, member));
    } else {
        walkShownPart(action, object, image, Member);
    }
}
template <class Action, class T, auto Member, class V>
void walkShownPart(Action& action, T& object, std::byte* image, InsideOf<Member, V>) {
    auto& member = shown(object, Member);
    walkValue<V, ShownOf<T, Member>>(action, member, placeIn(image, object, member));
}
template <class Action, class T, auto... Lengths, auto... Pointers, class... Views, class... Memories>
void walkShownPart(Action& action, T& object, std::byte* image, Counted<CountedBy<Lengths...>, ArrayAt<Pointers, Views, Memories>...>) {
    bool isLengthKept = true;
    ((isLengthKept = walkLength(action, object, image, shown(object, Lengths)) && isLengthKept), ...);
    (walkArray<ShownOf<T, Pointers>, Views>(action, shown(object, Pointers), placeIn(image, object, shown(object, Pointers)), isLengthKept,
                                            shown(object, Lengths)...),
     ...);
}
template <class Action, class T, class Access>
void walkShownPart(Action&, T&, std::byte*, BitField<Access>) {
    static_assert(sizeof(T) == 0, "ferry: a bit-field in a View has no address, so that it cannot go to a device alone: make it a member");
}

template <auto... Members, class Action, class T>
void walkMembers(Action& action, T& host, std::byte* image, View<Members...>*) {
    (walkShown<Members>(action, host, image), ...);
}

template <class Where, class V, class Action, class T>
void walkText(Action& action, T& text, std::byte* image) {
    if constexpr (Action::isDiscovery) requireLayout(StandardLayout::get().textIsKnown, "std::string");
    using C = typename T::value_type;
    const auto* bytes = reinterpret_cast<const std::byte*>(std::addressof(text));
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    const bool isShort = data >= bytes && data < bytes + sizeof(T);
    action.state(isShort ? static_cast<std::uint32_t>(text.size()) + 1 : 0);
    if (isShort) {
        std::byte* characters = image + (data - bytes);
        action.block(text.data(), characters, text.size());
        action.template words<Where>(image, std::array<std::uintptr_t, 2>{action.addressOf(characters), text.size()});
    } else {    // with the zero behind the text
        const std::uintptr_t address = action.template owned<Where, C, Whole>(text.data(), text.size() + 1, LeadBy::Array);
        action.template words<Where>(image, std::array<std::uintptr_t, 3>{address, text.size(), text.size()});
    }
}

template <class Where, class V, class Action, class T>
void walkOptional(Action& action, T& optional, std::byte* image) {
    action.state(optional.has_value() ? 1 : 0);
    if constexpr (Action::isReturn) {
        if (reinterpret_cast<const T*>(image)->has_value() != optional.has_value()) action.failShape(placeOf<Where>());
    }
    if (!optional.has_value()) return;
    auto& value = *optional;
    std::byte* place = placeIn(image, optional, value);
    if constexpr (!Action::isReturn) {    // the flag lies behind the value
        const std::size_t end = static_cast<std::size_t>(place - image) + sizeof(value);
        action.block(reinterpret_cast<std::byte*>(std::addressof(optional)) + end, image + end, sizeof(T) - end);
    }
    walkValue<V, Where>(action, value, place);
}

template <class... Values>
consteval std::size_t largestOf(const Pack<Values...>*) {
    std::size_t largest = 0;
    ((largest = sizeof(Values) > largest ? sizeof(Values) : largest), ...);
    return largest;
}

template <class Where, class Action, class T>
void walkVariant(Action& action, T& variant, std::byte* image) {
    action.state(static_cast<std::uint32_t>(variant.index()));
    if constexpr (Action::isReturn) {
        if (reinterpret_cast<const T*>(image)->index() != variant.index()) action.failShape(placeOf<Where>());
    }
    if constexpr (!Action::isReturn) {    // the index lies behind the values
        constexpr std::size_t end = largestOf(static_cast<typename ValuesOfDevice<T>::Type*>(nullptr));
        action.block(reinterpret_cast<std::byte*>(std::addressof(variant)) + end, image + end, sizeof(T) - end);
    }
    if (variant.valueless_by_exception()) return;
    std::visit([&](auto& value) { walkValue<Whole, Where>(action, value, placeIn(image, variant, value)); }, variant);
}

/// Walks one object, or the part of it that the View V shows.
template <class V, class Where, class Action, class Given>
void walkValue(Action& action, Given& given, std::byte* image) {
    using T = std::remove_cv_t<Given>;
    T& host = const_cast<T&>(given);
    constexpr DeviceKind kind = deviceKind<T>;
    constexpr bool isWhole = std::is_same_v<V, Whole>;
    static_assert(!isOneOfView<V>, "ferry: ferry::OneOf makes objects of derived classes, which a device cannot: use a std::variant");
    if constexpr (std::is_same_v<V, Null>) {
        // Null in the image, and untouched on the host.
    } else if constexpr (kind == DeviceKind::Pointer) {
        using Shown = typename WithoutOwner<V>::Type;
        if constexpr (requireDevicePointee<Where, T, Shown>()) {
            using U = std::remove_cv_t<std::remove_pointer_t<T>>;
            action.template pointer<Where, U, Shown>(host, image);
        }
    } else if constexpr (kind == DeviceKind::Array || (!isWhole && isFixedArray<T>)) {
        for (auto& element : host) walkValue<V, Where>(action, element, placeIn(image, host, element));
    } else if constexpr (kind == DeviceKind::Optional || (!isWhole && isDeviceOptional<T>)) {
        walkOptional<Where, V>(action, host, image);
    } else if constexpr (kind == DeviceKind::Vector) {
        using E = std::remove_cv_t<typename T::value_type>;
        if constexpr (Action::isDiscovery) requireLayout(StandardLayout::get().vectorIsKnown, "std::vector");
        if constexpr (requireDeviceElement<Where, E, V>()) {
            if constexpr (Action::isDiscovery) noteArraysOf<E>();
            const std::uintptr_t begin = action.template owned<Where, E, V>(host.data(), host.size(), LeadBy::Array);
            const std::uintptr_t end = begin + host.size() * sizeof(E);
            action.template words<Where>(image, std::array<std::uintptr_t, 3>{begin, end, end});
        }
    } else if constexpr (kind == DeviceKind::Unique) {
        using U = typename T::element_type;
        using Shown = typename WithoutOwner<V>::Type;
        if constexpr (Action::isDiscovery) requireLayout(StandardLayout::get().uniqueIsKnown, "std::unique_ptr");
        if constexpr (requireDeviceElement<Where, U, Shown>()) {
            const std::uintptr_t address = action.template owned<Where, std::remove_const_t<U>, Shown>(host.get(), 1, LeadBy::One);
            action.template words<Where>(image, std::array<std::uintptr_t, 1>{address});
        }
    } else if constexpr (!isWhole) {
        constexpr bool isShown = canShow<V, T>;
        static_assert(isShown, "ferry: the view names members that this type (see V and T) does not have");
        if constexpr (isShown) walkMembers(action, host, image, static_cast<ViewOf<V>*>(nullptr));
    } else if constexpr (kind == DeviceKind::Block) {
        action.block(std::addressof(host), image, sizeof(T));
    } else if constexpr (kind == DeviceKind::Fields) {
        visitFieldsForDevice(host, [&](auto&&... fields) {
            [&]<std::size_t... I>(std::index_sequence<I...>) { (walkField<T, I>(action, host, image, fields), ...); }
            (std::index_sequence_for<decltype(fields)...>());
        });
    } else if constexpr (kind == DeviceKind::Tuple) {
        std::apply([&](auto&... values) { (walkValue<Whole, Where>(action, values, placeIn(image, host, values)), ...); }, host);
    } else if constexpr (kind == DeviceKind::Variant) {
        walkVariant<Where>(action, host, image);
    } else if constexpr (kind == DeviceKind::Text) {
        walkText<Where, V>(action, host, image);
    } else if constexpr (kind == DeviceKind::TextView) {
        if constexpr (Action::isDiscovery) requireLayout(StandardLayout::get().textViewIsKnown, "std::string_view");
        std::array<std::uintptr_t, 2> words{};
        const std::size_t pointer = StandardLayout::get().textViewPointer;
        words[pointer] = action.template shared<Where, typename T::value_type, Whole>(host.data(), host.size(), false);
        words[1 - pointer] = host.size();
        action.template words<Where>(image, words);
    } else if constexpr (kind == DeviceKind::Span) {
        using E = std::remove_cv_t<typename T::element_type>;
        if constexpr (Action::isDiscovery) requireLayout(StandardLayout::get().spanIsKnown, "std::span");
        if constexpr (requireDeviceElement<Where, E, Whole>()) {
            if constexpr (Action::isDiscovery) noteArraysOf<E>();
            const std::uintptr_t address =
                action.template shared<Where, E, Whole>(host.data(), host.size(), !std::is_const_v<typename T::element_type>);
            if constexpr (T::extent == std::dynamic_extent)
                action.template words<Where>(image, std::array<std::uintptr_t, 2>{address, host.size()});
            else
                action.template words<Where>(image, std::array<std::uintptr_t, 1>{address});
        }
    } else {
        static_cast<void>(refuseMember<Where, T>());
    }
}

/// Notes the types of all objects that lie inside of a T.
template <class T>
void markInside(ImagePlan& plan);
template <class... Values>
void markAllInside(ImagePlan& plan, const Pack<Values...>*) {
    (markInside<std::remove_cv_t<Values>>(plan), ...);
}
template <class T>
void markInside(ImagePlan& plan) {
    if constexpr (isBasePart<T>) {
        markInside<std::remove_cvref_t<decltype(std::declval<T&>().object)>>(plan);
    } else if constexpr (!isFieldProxy<T>) {
        if constexpr (std::is_array_v<T>) {
            markInside<std::remove_cv_t<std::remove_extent_t<T>>>(plan);
        } else {
            ImageMemory& memory = plan.memory<T>();
            memory.isInside = true;
            if (memory.isMarked) return;
            memory.isMarked = true;
            markMembers<T>(plan);
        }
    }
}
template <class T>
void markMembers(ImagePlan& plan) {
    if constexpr (isFixedArray<T> || isDeviceOptional<T>)
        markInside<std::remove_cv_t<typename T::value_type>>(plan);
    else if constexpr (isDeviceText<T> || ComplexValue<T>)    // a short text lies in its object
        markInside<typename T::value_type>(plan);
    else if constexpr (isDeviceTuple<T> || isDeviceVariant<T>)
        markAllInside(plan, static_cast<typename ValuesOfDevice<T>::Type*>(nullptr));
    else if constexpr (std::is_class_v<T> && hasFieldsForDevice<T>() && !std::is_empty_v<T>)
        markAllInside(plan, static_cast<DeviceFields<T>*>(nullptr));
}

/// As markMembers(), for the members that a View shows. The class may have members that only a View knows.
template <class V, class T>
void markShown(ImagePlan& plan);
template <class Member, class Class>
Member memberBehind(Member Class::*);
template <auto Member>
using TypeOfMember = std::remove_cv_t<decltype(memberBehind(Member))>;
template <class T>
struct PartOfMember {
    using Type = T;
};
template <class T>
    requires(isFixedArray<T> || isDeviceOptional<T>)
struct PartOfMember<T> : PartOfMember<typename T::value_type> {};

template <auto Member, class V>
void markShownPart(ImagePlan& plan, InsideOf<Member, V>) {
    using Part = typename PartOfMember<TypeOfMember<Member>>::Type;
    markInside<TypeOfMember<Member>>(plan);
    if constexpr (canShow<V, Part>) markShown<V, Part>(plan);
}
template <class Other>
void markShownPart(ImagePlan&, Other) {}    // arrays lie elsewhere
template <auto... Members>
void markShownOf(ImagePlan& plan, View<Members...>*) {
    const auto mark = [&plan]<auto Member>() {
        if constexpr (std::is_member_pointer_v<decltype(Member)>)
            markInside<TypeOfMember<Member>>(plan);
        else
            markShownPart(plan, Member);
    };
    (mark.template operator()<Members>(), ...);
}
template <class V, class T>
void markShown(ImagePlan& plan) {
    if constexpr (canShow<V, T>) markShownOf(plan, static_cast<ViewOf<V>*>(nullptr));
}

template <class U, class V, class Action>
void walkElements(Action& action, void* host, std::byte* image, std::size_t count) {
    U* elements = static_cast<U*>(host);
    for (std::size_t i = 0; i < count; ++i) walkValue<V, ImageElementOf<U>>(action, elements[i], image + i * sizeof(U));
}

/// As walkElements(), for the second walk. Zeros of a length that the compiler knows are a few stores.
template <class U, class V>
void writeElements(ImageWriter& writer, void* host, std::byte* image, std::size_t count) {
    constexpr bool fillsItsPlace = std::is_same_v<V, Whole> && deviceKind<U> == DeviceKind::Pointer;
    const bool isCleared = !fillsItsPlace && writer.isFresh();
    U* elements = static_cast<U*>(host);
    for (std::size_t i = 0; i < count; ++i) {
        std::byte* place = image + i * sizeof(U);
        if (isCleared) std::memset(place, 0, sizeof(U));
        walkValue<V, ImageElementOf<U>>(writer, elements[i], place);
    }
}

template <class U, class V>
constexpr ImageType makeImageType() {
    ImageType type;
    type.type = &typeid(U);
    type.bytes = sizeof(U);
    type.alignment = alignof(U);
    if constexpr (std::is_same_v<V, Whole>) type.isWhole = !leavesMembers<U>();
    if constexpr (std::is_class_v<U>) {
        type.markInside = [](ImagePlan& plan) {
            markMembers<U>(plan);
            markShown<V, U>(plan);
        };
    }
    type.addRoot = [](ImagePlan& plan, void* host, std::size_t count, bool isMutable) {
        const LeadBy lead = count == 1 ? LeadBy::One : LeadBy::Array;
        static_cast<void>(plan.numberOf(static_cast<const U*>(host), count, imageTypeOf<U, V>(), isMutable, lead));
    };
    if constexpr (std::is_same_v<V, Whole> && deviceKind<U> == DeviceKind::Block) {
        type.isFlat = true;
    } else {
        type.discover = [](ImageDiscovery& action, void* host, std::size_t count) {
            if constexpr (std::is_pointer_v<U> && std::is_same_v<V, Whole>) {
                using Pointee = std::remove_cv_t<std::remove_pointer_t<U>>;
                if constexpr (requireDevicePointee<ImageElementOf<U>, U, Whole>())
                    action.plan().addSlots(static_cast<const U*>(host), count, imageTypeOf<Pointee, Whole>());
            } else {
                walkElements<U, V>(action, host, static_cast<std::byte*>(host), count);
            }
        };
        type.write = [](ImageWriter& action, void* host, std::byte* image, std::size_t count) {
            constexpr std::size_t Several = 4;
            if (count < Several) return writeElements<U, V>(action, host, image, count);
            ImageWriter copy = action;    // whose state is in registers, because no store into the image may change it
            writeElements<U, V>(copy, host, image, count);
            action.goOn(copy);
        };
        type.giveBack = [](ImageReturn& action, void* host, std::byte* image, std::size_t count) {
            walkElements<U, V>(action, host, image, count);
        };
        type.giveBackPart = [](ImagePartReturn& action, void* host, std::byte* image, std::size_t count) {
            walkElements<U, V>(action, host, image, count);
        };
    }
    return type;
}

template <class U, class V>
const ImageType& imageTypeOf() {
    static constexpr ImageType type = makeImageType<U, V>();
    return type;
}

}    // namespace ferry::detail
