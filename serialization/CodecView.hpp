#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <ferry/serialization/CodecPack.hpp>
#include <ferry/serialization/CodecSequence.hpp>
#include <ferry/serialization/View.hpp>

// Parts of objects: the members of a view one after the other, as the fields of a class are. Of the objects in a container: the count, then
// the part of each; behind an optional or unique_ptr: 0, or 1 and the part.

namespace ferry {

namespace detail {

/// What a view shows of an object: a member, or a part of one.
template <class T, class Class, class Member>
auto shown(T& object, Member Class::*member) -> decltype((object.*member)) {
    return object.*member;
}
template <class T, auto Member, class ViewOfMember>
auto shown(T& object, Inside<Member, ViewOfMember>) -> Part<ViewOfMember, std::remove_reference_t<decltype((object.*Member))>> {
    return {object.*Member};
}

/// Whether all that the view names are members of the object.
template <class ViewOfObject, class T>
inline constexpr bool canShow = false;
template <auto... Members, class T>
inline constexpr bool canShow<View<Members...>, T> = requires(T& object) {
    (static_cast<void>(shown(object, Members)), ...);
};

/// What the compiler says of a part that cannot be taken; its errors name the view and the type.
template <class ViewOfObject, class T>
struct PartCheck {
    static constexpr bool isTold = true;
    static_assert(canShow<ViewOfObject, T>,
                  "ferry: the view names members that this type (see T) does not have. A part can be of an object, of each element of a "
                  "vector, list, deque or array, or of what an optional or unique_ptr holds");
};

/// The name of a member as the compiler spells it: "x" for &Mass::x.
template <auto Member>
consteval std::string_view memberName() {
    std::string_view text = __PRETTY_FUNCTION__;
    const std::size_t end = text.find_first_of(",;]>)", text.rfind('&'));
    text = text.substr(0, end);
    return text.substr(text.rfind(':') + 1);
}
template <auto Member, class ViewOfMember>
consteval std::string_view memberNameOf(Inside<Member, ViewOfMember>) {
    return memberName<Member>();
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
inline constexpr bool isFixedArray = false;
template <class T, std::size_t N>
inline constexpr bool isFixedArray<std::array<T, N>> = true;

/// Whether a part of a T is the same part of each of its elements.
template <class T>
inline constexpr bool isPartwise = codecKind<T> == CodecKind::Sequence || isFixedArray<T> || isHolder<T>;

}    // namespace detail

template <class ViewOfObject, class T>
    requires(!detail::isPartwise<std::remove_const_t<T>> && !detail::canShow<ViewOfObject, T>)
struct Codec<Part<ViewOfObject, T>> {
    static constexpr bool isWritable = false;
    using WritableCheck = detail::PartCheck<ViewOfObject, T>;
    static void write(IntWriter&, const Part<ViewOfObject, T>&) {}
    static void read(IntReader&, const Part<ViewOfObject, T>&) {}
};

template <auto... Members, class T>
    requires(!detail::isPartwise<std::remove_const_t<T>> && detail::canShow<View<Members...>, T>)
struct Codec<Part<View<Members...>, T>> {
    using Shown = Part<View<Members...>, T>;
    using Traits = detail::Pack<std::remove_cvref_t<decltype(detail::shown(std::declval<T&>(), Members))>...>;

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = Traits::minTotal;
    static constexpr std::size_t fixedInts = Traits::fixedTotal;

    static std::int32_t* put(std::int32_t* target, const Shown& part) {
        return detail::putPack(target, detail::shown(part.object, Members)...);
    }
    static const std::int32_t* get(const std::int32_t* source, const Shown& part, const IntReader& forErrors) {
        return [&](auto&&... members) { return detail::getPack(source, forErrors, members...); }(detail::shown(part.object, Members)...);
    }
    static void write(IntWriter& out, const Shown& part) { detail::writePack(out, detail::shown(part.object, Members)...); }
    static void read(IntReader& in, const Shown& part) {
        [&](auto&&... members) {
            detail::readPack(in, detail::shownNames<Members...>.data(), members...);
        }(detail::shown(part.object, Members)...);
    }
};

template <class ViewOfObject, class T>
    requires(codecKind<std::remove_const_t<T>> == CodecKind::Sequence)
struct Codec<Part<ViewOfObject, T>> {
    using Shown = Part<ViewOfObject, T>;
    using Element = std::remove_reference_t<decltype(*std::declval<T&>().begin())>;
    using ElementPart = Part<ViewOfObject, Element>;

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = 1;

    static void write(IntWriter& out, const Shown& part) {
        out.writeCount(part.object.size());
        const IntWriter::Nesting nesting(out);
        for (Element& element : part.object) Codec<ElementPart>::write(out, {element});
    }
    static void read(IntReader& in, const Shown& part) {
        const std::size_t count = in.readCount(ferry::minInts<ElementPart>);
        in.charge(count, sizeof(Element));
        const IntReader::Nesting nesting(in);
        detail::readInPlace<ferry::minInts<ElementPart>>(part.object, count,
                                                         [&in](Element& element) { Codec<ElementPart>::read(in, {element}); });
    }
};

template <class ViewOfObject, class T>
    requires detail::isFixedArray<std::remove_const_t<T>>
struct Codec<Part<ViewOfObject, T>> {
    using Shown = Part<ViewOfObject, T>;
    using Element = std::remove_reference_t<decltype(*std::declval<T&>().begin())>;
    using ElementPart = Part<ViewOfObject, Element>;

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = std::tuple_size_v<std::remove_const_t<T>> * ferry::minInts<ElementPart>;

    static void write(IntWriter& out, const Shown& part) {
        for (Element& element : part.object) Codec<ElementPart>::write(out, {element});
    }
    static void read(IntReader& in, const Shown& part) {
        detail::readElementsOf(part.object, [&in](Element& element) { Codec<ElementPart>::read(in, {element}); });
    }
};

template <class ViewOfObject, class T>
    requires detail::isHolder<std::remove_const_t<T>>
struct Codec<Part<ViewOfObject, T>> {
    using Shown = Part<ViewOfObject, T>;
    using Held = std::remove_reference_t<decltype(*std::declval<T&>())>;
    using HeldPart = Part<ViewOfObject, Held>;

    static_assert(
        !std::is_polymorphic_v<Held> || !requires(T & holder) { holder.get(); },
        "ferry: a part of an object behind a pointer to a class with virtual functions: the object may be of a derived class");

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = 1;

    static void write(IntWriter& out, const Shown& part) {
        out.writeInt(part.object ? 1 : 0);
        const IntWriter::Nesting nesting(out);
        if (part.object) Codec<HeldPart>::write(out, {*part.object});
    }
    static void read(IntReader& in, const Shown& part) {
        const std::int32_t flag = in.peekInt();
        if (flag != 0 && flag != 1) detail::failFlag(in, flag);
        in.take(1);
        if (flag == 0) {
            part.object.reset();
            return;
        }
        if (!part.object) makeHeld(part.object);
        const IntReader::Nesting nesting(in);
        Codec<HeldPart>::read(in, {*part.object});
    }

private:
    static void makeHeld(std::optional<Held>& holder) { holder.emplace(); }
    static void makeHeld(std::unique_ptr<Held>& holder) { holder = std::make_unique<Held>(); }
};

template <class ViewOfObject, class T>
struct Codec<const Part<ViewOfObject, T>> : Codec<Part<ViewOfObject, T>> {};

namespace detail {
template <class ViewOfObject, class T>
inline constexpr bool isFieldProxy<Part<ViewOfObject, T>> = true;
}

/// Reads into the members that the view shows; the others stay. Errors: as those of IntReader::operator>>.
template <class ViewOfObject, class T>
IntReader& operator>>(IntReader& in, Part<ViewOfObject, T>&& part) {
    return in >> part;
}

}    // namespace ferry
