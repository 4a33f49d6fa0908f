#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <ferry/serialization/codec/CodecBlocks.hpp>
#include <ferry/serialization/codec/CodecPack.hpp>
#include <ferry/serialization/codec/CodecSequence.hpp>
#include <ferry/serialization/codec/View.hpp>

// Parts of objects: the members of a view travel one after the other, like the fields of a class.

namespace ferry {

namespace detail {

template <class T, class Class>
concept HasClass = std::is_same_v<std::remove_const_t<T>, Class> || std::is_base_of_v<Class, std::remove_const_t<T>>;

/// Casts the object to its class or a base class. Only a C-style cast also reaches private bases.
template <class Class, class T>
    requires HasClass<T, Class>
constexpr auto& asClass(T& object) { return (std::conditional_t<std::is_const_v<T>, const Class, Class>&)object; }

/// Returns one member of a view: a member of the object, or a part of such a member.
template <class T, class Class, class Member>
auto shown(T& object, Member Class::*member) -> decltype((asClass<Class>(object).*member)) {
    return asClass<Class>(object).*member;
}
template <class T, auto Member, class ViewOfMember>
auto shown(T& object, InsideOf<Member, ViewOfMember>) -> Part<ViewOfMember, std::remove_reference_t<decltype(shown(object, Member))>> {
    return {shown(object, Member)};
}

/// The arrays of an object (CountedPart) and a bit-field of an object (BitFieldPart) as values with a codec.
template <class Arrays, class T>
struct CountedPart {
    T& object;
};
template <class Access, class T>
struct BitFieldPart {
    T& object;
};
template <class T, class Lengths, class... Arrays>
auto shown(T& object, Counted<Lengths, Arrays...>) -> CountedPart<Counted<Lengths, Arrays...>, T> {
    return {object};
}
template <class T, class Access>
auto shown(T& object, BitField<Access>) -> BitFieldPart<Access, T> {
    return {object};
}

/// Finds the View from which a struct is derived. A View finds itself.
template <auto... Members>
View<Members...> findView(const View<Members...>*);
template <class ViewOfObject>
using ViewOf = decltype(findView(static_cast<const ViewOfObject*>(nullptr)));

template <class AnyView, class T>
inline constexpr bool hasMembersOf = false;
template <auto... Members, class T>
inline constexpr bool hasMembersOf<View<Members...>, T> = requires(T& object) {
    (static_cast<void>(shown(object, Members)), ...);
};

/// Whether all members of the view are members of the object.
template <class ViewOfObject, class T>
consteval bool findCanShow() {
    if constexpr (requires { typename ViewOf<ViewOfObject>; })
        return hasMembersOf<ViewOf<ViewOfObject>, T>;
    else
        return false;
}
template <class ViewOfObject, class T>
inline constexpr bool canShow = findCanShow<ViewOfObject, T>();

/// The compiler's errors for a part that cannot be taken. The errors name the view and the type.
template <class ViewOfObject, class T>
struct PartCheck {
    static constexpr bool isTold = true;
    static_assert(canShow<ViewOfObject, T>,
                  "ferry: the view names members that this type (see T) does not have. A part can be of an object, of each element of a "
                  "vector, list, deque or array, or of what an optional, unique_ptr or shared_ptr holds");
};

template <class PartOfObject, class T>
void readPartOf(IntReader& in, T& object) {
    PartOfObject part{object};
    readValue(in, part);
}

/// The name of a member as the compiler spells it: "x" for &Mass::x.
template <auto Member>
consteval std::string_view memberName() {
    std::string_view text = __PRETTY_FUNCTION__;
    const std::size_t end = text.find_first_of(",;]>)", text.rfind('&'));
    text = text.substr(0, end);
    return text.substr(text.rfind(':') + 1);
}
template <auto Member, class ViewOfMember>
consteval std::string_view memberNameOf(InsideOf<Member, ViewOfMember>) {
    return memberName<Member>();
}
template <class Lengths, auto Member, class ViewOfElement, class Memory, class... Others>
consteval std::string_view memberNameOf(Counted<Lengths, ArrayAt<Member, ViewOfElement, Memory>, Others...>) {
    return memberName<Member>();
}
template <class Access>
consteval std::string_view memberNameOf(BitField<Access>) {
    return Access::name;
}

template <auto Member>
consteval std::string_view shownName() {
    if constexpr (std::is_member_pointer_v<decltype(Member)>)
        return memberName<Member>();
    else
        return memberNameOf(Member);
}

/// The names of the members, separated by commas, as FERRY_FIELDS gives them.
template <auto... Members>
inline constexpr auto shownNames = [] {
    std::array<char, (shownName<Members>().size() + ... + sizeof...(Members)) + 1> names{};
    std::size_t length = 0;
    [[maybe_unused]] const auto append = [&](std::string_view name) {
        for (const char character : name) names[length++] = character;
        names[length++] = ',';
    };
    (append(shownName<Members>()), ...);
    names[length == 0 ? 0 : length - 1] = '\0';
    return names;
}();

template <class T>
inline constexpr bool isHolder = false;
template <class T>
inline constexpr bool isHolder<std::optional<T>> = true;
template <class T>
inline constexpr bool isHolder<std::unique_ptr<T>> = true;
template <class T>
inline constexpr bool isHolder<std::shared_ptr<T>> = true;

template <class T>
inline constexpr bool isFixedArray = false;
template <class T, std::size_t N>
inline constexpr bool isFixedArray<std::array<T, N>> = true;
template <class T, std::size_t N>
inline constexpr bool isFixedArray<T[N]> = true;

template <class T>
inline constexpr std::size_t fixedArraySize = std::extent_v<T>;
template <class T, std::size_t N>
inline constexpr std::size_t fixedArraySize<std::array<T, N>> = N;

/// Whether a part of a T consists of the same part of each of its elements.
template <class T>
inline constexpr bool isPartwise = codecKind<T> == CodecKind::Sequence || isFixedArray<T> || isHolder<T>;

}    // namespace detail

template <class ViewOfObject, class T>
    requires(!detail::isPartwise<std::remove_const_t<T>> && !detail::canShow<ViewOfObject, T>)
struct Codec<detail::Part<ViewOfObject, T>> {
    static constexpr bool isWritable = false;
    using WritableCheck = detail::PartCheck<ViewOfObject, T>;
    static void write(IntWriter&, const detail::Part<ViewOfObject, T>&) {}
    static void read(IntReader&, const detail::Part<ViewOfObject, T>&) {}
};

namespace detail {

/// Whether a value takes a fixed number of ints, and any ints are valid. Then reading cannot fail.
template <class T>
consteval bool findTakesAnyInts() {
    if constexpr (requires { Codec<T>::takesAnyInts; })
        return Codec<T>::takesAnyInts;
    else
        return isImage<T>;
}
template <class T>
inline constexpr bool takesAnyInts = findTakesAnyInts<T>();

template <class MembersView, class ShownPart>
struct MembersCodec;
template <auto... Members, class ViewOfObject, class T>
struct MembersCodec<View<Members...>, Part<ViewOfObject, T>> {
    using Shown = Part<ViewOfObject, T>;
    using Traits = Pack<std::remove_cvref_t<decltype(shown(std::declval<T&>(), Members))>...>;

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = Traits::minTotal;
    static constexpr std::size_t fixedInts = Traits::fixedTotal;
    static constexpr bool hasRuns = Traits::areImages;
    static constexpr bool takesAnyInts =
        Traits::isFixed && (detail::takesAnyInts<std::remove_cvref_t<decltype(shown(std::declval<T&>(), Members))>> && ...);

    static std::int32_t* put(std::int32_t* target, const Shown& part) { return putPack(target, shown(part.object, Members)...); }
    static const std::int32_t* get(const std::int32_t* source, const Shown& part, const IntReader& forErrors) {
        return [&](auto&&... members) { return getPack(source, forErrors, members...); }(shown(part.object, Members)...);
    }
    static void addRuns(BlockLayout& blocks, const Shown& part) requires hasRuns {
        addMemberRuns(blocks, std::addressof(part.object), shown(part.object, Members)...);
    }
    static void write(IntWriter& out, const Shown& part) { writePack(out, shown(part.object, Members)...); }
    static void read(IntReader& in, const Shown& part) {
        [&](auto&&... members) { readPack(in, shownNames<Members...>.data(), members...); }(shown(part.object, Members)...);
    }
};

}    // namespace detail

template <class ViewOfObject, class T>
    requires(!detail::isPartwise<std::remove_const_t<T>> && detail::canShow<ViewOfObject, T>)
struct Codec<detail::Part<ViewOfObject, T>> : detail::MembersCodec<detail::ViewOf<ViewOfObject>, detail::Part<ViewOfObject, T>> {};

/// Base class for a specialisation of Codec: objects of the class always travel as this part of them.
///
///     template <> struct ferry::Codec<Mass> : ferry::ViewCodec<Mass, Place> {};
template <class T, class ViewOfObject>
struct ViewCodec {
    using Shown = Codec<detail::Part<ViewOfObject, T>>;
    using Constant = Codec<detail::Part<ViewOfObject, const T>>;

    static constexpr bool isWritable = true;
    static constexpr bool isViewed = true;
    static constexpr std::size_t minInts = Shown::minInts;
    static constexpr std::size_t fixedInts = Shown::fixedInts;
    static constexpr bool hasRuns = Shown::hasRuns;
    static constexpr bool takesAnyInts = Shown::takesAnyInts;

    static std::int32_t* put(std::int32_t* target, const T& object) { return Constant::put(target, {object}); }
    static const std::int32_t* get(const std::int32_t* source, T& object, const IntReader& forErrors) {
        return Shown::get(source, {object}, forErrors);
    }
    static void addRuns(detail::BlockLayout& blocks, const T& object) requires hasRuns { Constant::addRuns(blocks, {object}); }
    static void write(IntWriter& out, const T& object) { Constant::write(out, {object}); }
    static void read(IntReader& in, T& object) { Shown::read(in, {object}); }
};

template <class ViewOfObject, class T>
struct Codec<const detail::Part<ViewOfObject, T>> : Codec<detail::Part<ViewOfObject, T>> {};

namespace detail {

template <class ViewOfObject, class T>
inline constexpr bool isFieldProxy<Part<ViewOfObject, T>> = true;

/// Reads into the members of the view. The other members stay unchanged. Errors: as those of IntReader::operator>>.
template <class ViewOfObject, class T>
IntReader& operator>>(IntReader& in, Part<ViewOfObject, T>&& part) {
    return in >> part;
}

}    // namespace detail

}    // namespace ferry
