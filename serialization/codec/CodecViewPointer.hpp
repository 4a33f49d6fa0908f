#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <ferry/serialization/codec/CodecPointer.hpp>
#include <ferry/serialization/codec/CodecView.hpp>
#include <ferry/serialization/codec/CodecViewArray.hpp>

// Parts of objects behind a pointer. Null travels as 0. Any other pointer travels as 1 (with OneOf: the number of the class, from 1) and
// the part. Shared objects begin with their number, as in CodecPointer.

namespace ferry {

namespace detail {

[[noreturn]] void failUnlistedClass(const std::type_info& found, const std::type_info& base);
[[noreturn]] void failPartInGraph(const std::type_info& pointee);

inline bool readFlag(IntReader& in) {
    const std::int32_t flag = in.peekInt();
    if (flag != 0 && flag != 1) failFlag(in, flag);
    in.take(1);
    return flag == 1;
}

/// Counts an object behind a pointer, of which a part travels. To be called before the object is made.
template <class ViewOfObject, class T>
void chargePointee(IntReader& in) {
    if constexpr (ReadLimits::isRoomy(sizeof(T), minIntsOfPart<ViewOfObject, T>() + 1)) in.chargeRoomy(1, sizeof(T));    // 1: the pointer
}

template <class Pointer>
inline constexpr bool isRawPointer = std::is_pointer_v<Pointer>;
template <class Pointer>
inline constexpr bool isShared = false;
template <class T>
inline constexpr bool isShared<std::shared_ptr<T>> = true;
template <class Pointer>
inline constexpr bool isUnique = false;
template <class T>
inline constexpr bool isUnique<std::unique_ptr<T>> = true;
template <class Pointer>
inline constexpr bool isAnyPointer = isRawPointer<Pointer> || isShared<Pointer> || isUnique<Pointer>;

template <class Pointer>
using Pointee = std::remove_const_t<std::remove_reference_t<decltype(*std::declval<const Pointer&>())>>;

/// Writes and reads an object of one of several classes: the number of the class, and the part of the object.
template <class Base, class... Choices>
struct ChoiceCodec {
    /// Errors: UsageError for an object of another class.
    static void write(IntWriter& out, const Base& object) {
        std::int32_t number = 0;
        if (!(writeAs<Choices>(out, object, ++number) || ...)) failUnlistedClass(typeid(object), typeid(Base));
    }
    /// Reads the number of a class and makes a new object of this class.
    static std::unique_ptr<Base> make(IntReader& in, std::int32_t& number) {
        number = in.peekInt();
        if (number < 1 || static_cast<std::size_t>(number) > sizeof...(Choices)) failAlternative(in, sizeof...(Choices) + 1, number);
        in.take(1);
        static constexpr std::array<std::unique_ptr<Base> (*)(IntReader&), sizeof...(Choices)> makers{&makeAs<Choices>...};
        return makers[static_cast<std::size_t>(number) - 1](in);
    }
    static void read(IntReader& in, Base& object, std::int32_t number) {
        static constexpr std::array<void (*)(IntReader&, Base&), sizeof...(Choices)> readers{&readAs<Choices>...};
        readers[static_cast<std::size_t>(number) - 1](in, object);
    }

private:
    template <class Chosen>
    static bool writeAs(IntWriter& out, const Base& object, std::int32_t number) {
        if (typeid(object) != typeid(typename Chosen::Class)) return false;
        out.writeInt(number);
        writePart<typename Chosen::View>(out, dynamic_cast<const typename Chosen::Class&>(object));
        return true;
    }
    template <class Chosen>
    static std::unique_ptr<Base> makeAs(IntReader& in) {
        static_assert(std::has_virtual_destructor_v<Base>, "ferry: objects are deleted through a base class without a virtual destructor");
        chargePointee<typename Chosen::View, typename Chosen::Class>(in);
        return std::make_unique<typename Chosen::Class>();
    }
    template <class Chosen>
    static void readAs(IntReader& in, Base& object) {
        readPart<typename Chosen::View>(in, dynamic_cast<typename Chosen::Class&>(object));
    }
};

/// Like ChoiceCodec, for objects whose class is exactly the pointer's type.
template <class T, class ViewOfObject>
struct OnlyCodec {
    static_assert(
        !std::is_polymorphic_v<T> || std::is_final_v<T>,
        "ferry: a part of an object behind a pointer to a class with virtual functions: the object may be of a derived class: say "
        "which with ferry::OneOf");
    static void write(IntWriter& out, const T& object) { writePart<ViewOfObject>(out, object); }
    static std::unique_ptr<T> make(IntReader& in, std::int32_t&) {
        chargePointee<ViewOfObject, T>(in);
        return std::make_unique<T>();
    }
    static void read(IntReader& in, T& object, std::int32_t) { readPart<ViewOfObject>(in, object); }
};

template <class T, class ObjectCodec>
void writeSharedPart(IntWriter& out, const std::shared_ptr<T>& pointer) {
    using Value = std::remove_const_t<T>;
    if (out.references() != nullptr) failPartInGraph(typeid(Value));
    if (pointer == nullptr) {
        out.writeInt(0);
        return;
    }
    WrittenShares& shares = out.shares();
    const auto visit = shares.visit(std::shared_ptr<const void>(pointer, addressOf(pointer.get())), typeid(Value));
    out.writeInt(visit.isFirst ? -visit.number : visit.number);
    if (!visit.isFirst) {
        shares.noteOwned(out, visit.number, typeid(Value));
        return;
    }
    const OwnerLevels::Begun levels = shares.begin(out);
    const IntWriter::Nesting nesting(out);
    ObjectCodec::write(out, *pointer);
    shares.complete(out, visit.number, levels);
}

template <class T, class ObjectCodec>
std::shared_ptr<T> readSharedPart(IntReader& in) {
    const std::int32_t number = in.peekInt();
    if (number == 0) {
        in.take(1);
        return nullptr;
    }
    ReadShares& shares = in.shares();
    if (number > 0) {
        std::shared_ptr<T> known = knownShare<Ownership::Shared, T>(in, shares, number);
        in.take(1);
        return known;
    }
    shares.checkNew(in, number);
    in.take(1);
    const OwnerLevels::Begun levels = shares.begin(in);
    const IntReader::Nesting nesting(in);
    std::int32_t choice = 0;
    std::shared_ptr<T> made = ObjectCodec::make(in, choice);
    const std::size_t place = shares.add(-number, {nullptr, made, &typeid(T), false, 0});
    in.countShare();
    ObjectCodec::read(in, *made, choice);
    shares.complete(in, place, levels);
    return made;
}

template <class T>
void replaceObject(T*& pointer, std::unique_ptr<std::remove_const_t<T>> replacement) noexcept {
    delete pointer;
    pointer = replacement.release();
}
template <class T>
void replaceObject(std::unique_ptr<T>& pointer, std::unique_ptr<std::remove_const_t<T>> replacement) noexcept {
    pointer = std::move(replacement);
}

}    // namespace detail

template <class ViewOfObject, class T>
    requires detail::isHolder<std::remove_const_t<T>>
struct Codec<detail::Part<ViewOfObject, T>> {
    using Shown = detail::Part<ViewOfObject, T>;
    using Holder = std::remove_const_t<T>;
    using Held = std::remove_reference_t<decltype(*std::declval<T&>())>;
    using HeldPart = detail::Part<ViewOfObject, Held>;
    using Object = std::remove_const_t<Held>;
    using ObjectCodec = detail::OnlyCodec<Object, ViewOfObject>;

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = 1;

    static void write(IntWriter& out, const Shown& part) {
        if constexpr (detail::isShared<Holder>) {
            detail::writeSharedPart<typename Holder::element_type, ObjectCodec>(out, part.object);
        } else {
            out.writeInt(part.object ? 1 : 0);
            const IntWriter::Nesting nesting(out);
            if (part.object) write(out, *part.object);
        }
    }
    static void read(IntReader& in, const Shown& part) {
        if constexpr (detail::isShared<Holder>) {
            part.object = detail::readSharedPart<Object, ObjectCodec>(in);
        } else if (!detail::readFlag(in)) {
            part.object.reset();
        } else {
            if (!part.object) makeHeld(in, part.object);
            const IntReader::Nesting nesting(in);
            detail::readPartOf<HeldPart>(in, *part.object);
        }
    }

private:
    static void write(IntWriter& out, const Object& object) {
        if constexpr (detail::isUnique<Holder>)
            ObjectCodec::write(out, object);
        else
            detail::writeValue(out, detail::Part<ViewOfObject, const Object>{object});
    }
    static void makeHeld(IntReader&, std::optional<Held>& holder) { holder.emplace(); }
    static void makeHeld(IntReader& in, std::unique_ptr<Held>& holder) {
        detail::chargePointee<ViewOfObject, Object>(in);
        holder = std::make_unique<Held>();
    }
};

template <class ViewOfObject, class Pointer>
    requires detail::isRawPointer<Pointer>
struct Codec<detail::Part<Owned<ViewOfObject>, Pointer>> {
    using Object = detail::Pointee<Pointer>;
    using ObjectCodec = detail::OnlyCodec<Object, ViewOfObject>;

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = 1;

    static void write(IntWriter& out, const detail::Part<Owned<ViewOfObject>, Pointer>& part) {
        out.writeInt(part.object != nullptr ? 1 : 0);
        const IntWriter::Nesting nesting(out);
        if (part.object != nullptr) ObjectCodec::write(out, *part.object);
    }
    static void read(IntReader& in, const detail::Part<Owned<ViewOfObject>, Pointer>& part) {
        std::unique_ptr<Object> made;
        if (detail::readFlag(in)) {
            const IntReader::Nesting nesting(in);
            std::int32_t choice = 0;
            made = ObjectCodec::make(in, choice);
            ObjectCodec::read(in, *made, choice);
        }
        detail::replaceObject(part.object, std::move(made));
    }
};

template <class Pointer>
    requires detail::isAnyPointer<std::remove_const_t<Pointer>>
struct Codec<detail::Part<Null, Pointer>> {
    static constexpr bool isWritable = true;
    static void write(IntWriter&, const detail::Part<Null, Pointer>&) {}
    static void read(IntReader&, const detail::Part<Null, Pointer>& part) { part.object = nullptr; }
};

template <class... Choices, class Pointer>
    requires detail::isAnyPointer<std::remove_const_t<Pointer>>
struct Codec<detail::Part<OneOf<Choices...>, Pointer>> {
    using Shown = detail::Part<OneOf<Choices...>, Pointer>;
    using Base = detail::Pointee<Pointer>;
    using ObjectCodec = detail::ChoiceCodec<Base, Choices...>;
    static constexpr bool isSharedPointer = detail::isShared<std::remove_const_t<Pointer>>;

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = 1;

    static void write(IntWriter& out, const Shown& part) {
        if constexpr (isSharedPointer) {
            detail::writeSharedPart<typename Pointer::element_type, ObjectCodec>(out, part.object);
        } else if (part.object == nullptr) {
            out.writeInt(0);
        } else {
            const IntWriter::Nesting nesting(out);
            ObjectCodec::write(out, *part.object);
        }
    }
    static void read(IntReader& in, const Shown& part) {
        if constexpr (isSharedPointer) {
            part.object = detail::readSharedPart<Base, ObjectCodec>(in);
        } else {
            std::unique_ptr<Base> made;
            if (in.peekInt() == 0) {
                in.take(1);
            } else {
                const IntReader::Nesting nesting(in);
                std::int32_t choice = 0;
                made = ObjectCodec::make(in, choice);
                ObjectCodec::read(in, *made, choice);
            }
            detail::replaceObject(part.object, std::move(made));
        }
    }
};

}    // namespace ferry
