#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Codec.hpp>

namespace ferry {

/// The name of type T in files. The name replaces the description of T's stream. Specialise the name for a plain class that must differ
/// from others with the same fields, and for a class with its own writeToInts. The name must not change once files contain it:
///
///     template <> inline constexpr std::string_view ferry::fileTypeName<Colour> = "acme::Colour";
template <class T>
inline constexpr std::string_view fileTypeName{};

namespace detail {

/// Builds the text that describes the stream of a type. The text is equal with every compiler and in every build (docs/wire-format.md).
class TypeText {
public:
    const std::string& text() const noexcept { return text_; }

    void append(std::string_view text) { text_ += text; }
    void appendClass(std::string_view name) { text_.append("class ").append(name); }
    void appendClass(const std::type_info& type);
    /// Appends the name of an integer, floating-point or character type.
    void appendNumber(std::string_view kind, std::size_t bytes);

    template <class T>
    void add();
    /// Appends "name<A,B>".
    template <class... Arguments>
    void addTemplate(std::string_view name) {
        text_.append(name) += '<';
        addList<Arguments...>();
        text_ += '>';
    }
    template <class T>
    void addArray(std::size_t count) {
        append("array<");
        add<T>();
        append("," + std::to_string(count) + ">");
    }
    /// Appends the fields of a class in braces, or in brackets if the class has a version. A class inside itself is ^1 (the class around
    /// this place), ^2 ...
    template <class T, class... Values>
    void addClass(bool hasVersion, Pack<Values...>) {
        if (addKnown(typeid(T))) return;
        open_.push_back(&typeid(T));
        text_ += hasVersion ? '[' : '{';
        addList<Values...>();
        text_ += hasVersion ? ']' : '}';
        open_.pop_back();
    }

private:
    template <class... Types>
    void addList() {
        [[maybe_unused]] std::string_view separator;
        ((append(separator), add<Types>(), separator = ","), ...);
    }
    bool addKnown(const std::type_info& type);

    std::string text_;
    std::vector<const std::type_info*> open_;    // classes that are being described, the outermost first
};

/// The texts of types that are recognised as instances of a template.
template <class T>
struct TemplateText {
    static constexpr bool isKnown = false;
};
template <class T>
struct PointeeText {
    static void add(TypeText& text, std::string_view name) {
        if constexpr (isObject<std::remove_const_t<T>>)
            text.append(std::string(name) + "<object>");
        else
            text.addTemplate<T>(name);
    }
};
template <class T>
struct TemplateText<std::unique_ptr<T>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) {
        if constexpr (isObject<std::remove_const_t<T>>)
            text.append("object");
        else
            text.addTemplate<T>("optional");    // the stream is the same
    }
};
template <class T>
struct TemplateText<std::shared_ptr<T>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { PointeeText<T>::add(text, "shared"); }
};
template <class T>
struct TemplateText<std::weak_ptr<T>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { PointeeText<T>::add(text, "weak"); }
};
template <class T>
struct TemplateText<T*> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { PointeeText<T>::add(text, "pointer"); }
};
template <class Pointer, class... Counts>
struct TemplateText<PointedArray<Pointer, Counts...>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) {
        text.append("arrayPointer<");
        text.add<std::remove_pointer_t<Pointer>>();
        text.append("," + std::to_string(sizeof...(Counts)) + ">");
    }
};
template <class Pointer>
struct TemplateText<OwnedPointer<Pointer>> : TemplateText<std::unique_ptr<std::remove_pointer_t<Pointer>>> {};
template <class Pointer, class... Counts>
struct TemplateText<OwnedArray<Pointer, Counts...>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) {
        text.append("ownedArray<");
        text.add<std::remove_pointer_t<Pointer>>();
        text.append("," + std::to_string(sizeof...(Counts)) + ">");
    }
};
template <class Container>
struct TemplateText<OwnedPointers<Container>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) {
        text.append("owned<");
        text.add<Container>();
        text.append(">");
    }
};
template <class Pointer, class... Counts>
struct TemplateText<OwnedPointerArray<Pointer, Counts...>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) {
        text.append("ownedPointers<");
        text.add<std::remove_pointer_t<Pointer>>();
        text.append("," + std::to_string(sizeof...(Counts)) + ">");
    }
};
template <class... Values>
struct TemplateText<std::tuple<Values...>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { text.addTemplate<Values...>("tuple"); }
};
template <class First, class Second>
struct TemplateText<std::pair<First, Second>> : TemplateText<std::tuple<First, Second>> {};
template <class... Alternatives>
struct TemplateText<std::variant<Alternatives...>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { text.addTemplate<Alternatives...>("variant"); }
};
template <>
struct TemplateText<std::monostate> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { text.append("nothing"); }
};
template <class T, std::size_t N>
struct TemplateText<std::array<T, N>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { text.addArray<T>(N); }
};
template <class T, std::size_t N>
struct TemplateText<T[N]> : TemplateText<std::array<T, N>> {};
template <class T, std::size_t Extent>
struct TemplateText<std::span<T, Extent>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { text.add<std::vector<std::remove_const_t<T>>>(); }
};
template <>
struct TemplateText<std::string_view> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { text.append("string"); }
};
template <class T>
struct TemplateText<std::atomic<T>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { text.add<T>(); }
};
template <class Base>
struct TemplateText<BasePart<Base>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) {
        using Class = std::remove_const_t<Base>;
        if constexpr (FieldAccess::hasFields<Class>())
            text.addClass<Class>(FieldAccess::version<Class>() != 0, FieldsOf<Class>());
        else if constexpr (isForeignBase<Class>)
            text.add<Class>();
        else
            text.appendClass(typeid(Class));
    }
};
template <class ViewOfObject, class T>
struct TemplateText<Part<ViewOfObject, T>> {
    using PartCodec = Codec<Part<ViewOfObject, T>>;
    static constexpr bool isKnown = true;
    static void add(TypeText& text) {
        if constexpr (requires { typename PartCodec::Traits; })
            text.addClass<Part<ViewOfObject, T>>(false, typename PartCodec::Traits());
        else if constexpr (requires { typename PartCodec::HeldPart; })
            text.addTemplate<typename PartCodec::HeldPart>(isShared<std::remove_const_t<T>> ? "shared" : "optional");
        else if constexpr (isFixedArray<std::remove_const_t<T>>)
            text.addArray<typename PartCodec::ElementPart>(fixedArraySize<std::remove_const_t<T>>);
        else if constexpr (requires { typename PartCodec::ElementPart; })
            text.addTemplate<typename PartCodec::ElementPart>("sequence");
        else
            text.appendClass(typeid(Part<ViewOfObject, T>));    // Owned, OneOf, Null
    }
};
template <class Arrays, class T>
struct TemplateText<CountedPart<Arrays, T>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { text.appendClass(typeid(CountedPart<Arrays, T>)); }
};
template <class Access, class T>
struct TemplateText<BitFieldPart<Access, T>> {
    static constexpr bool isKnown = true;
    static void add(TypeText& text) { text.add<typename Access::Value>(); }
};

template <class T>
void addNumber(TypeText& text) {
    if constexpr (std::is_enum_v<T>)
        addNumber<std::underlying_type_t<T>>(text);
    else if constexpr (std::is_same_v<T, bool>)
        text.append("bool");
    else if constexpr (std::is_same_v<T, char>)
        text.append("char");    // signed or unsigned, as on the machine
    else
        text.appendNumber(std::is_floating_point_v<T> ? "float" : std::is_signed_v<T> ? "int" : "uint", sizeof(T));
}

template <class T>
void addSequence(TypeText& text) {
    using Element = typename T::value_type;
    if constexpr (isBitContainer<T>)
        text.append("bits");
    else if constexpr (isBulkContainer<T> && std::is_same_v<Element, char>)
        text.append("string");
    else
        text.addTemplate<Element>(isBulkContainer<T> && sizeof(Element) < sizeof(std::int32_t) ? "packed" : "sequence");
}

template <class T>
void addAssociative(TypeText& text) {
    if constexpr (requires { typename T::mapped_type; })
        text.addTemplate<typename T::key_type, typename T::mapped_type>("map");
    else
        text.addTemplate<typename T::key_type>("set");
}

template <class T>
void addByKind(TypeText& text) {
    constexpr CodecKind kind = codecKind<T>;
    if constexpr (kind == CodecKind::Scalar)
        addNumber<T>(text);
    else if constexpr (kind == CodecKind::Fields)
        text.addClass<T>(FieldAccess::version<T>() != 0, FieldsOf<T>());
    else if constexpr (kind == CodecKind::Aggregate)
        text.addClass<T>(false, AggregatePack<T>());
    else if constexpr (kind == CodecKind::Path)
        text.append("string");
    else if constexpr (kind == CodecKind::Sequence)
        addSequence<T>(text);
    else if constexpr (kind == CodecKind::Associative)
        addAssociative<T>(text);
    else if constexpr (kind == CodecKind::Forward)
        text.addTemplate<typename T::value_type>("sequence");
    else if constexpr (kind == CodecKind::Numbers)
        text.addTemplate<typename T::value_type>(
            Bulk<typename T::value_type> && sizeof(typename T::value_type) < sizeof(std::int32_t) ? "packed" : "sequence");
    else if constexpr (kind == CodecKind::Adaptor)
        text.add<typename T::container_type>();
    else if constexpr (kind == CodecKind::Bits)
        text.append("bitset<" + std::to_string(T().size()) + ">");
    else if constexpr (kind == CodecKind::Complex)
        text.addTemplate<typename T::value_type>("complex");
    else if constexpr (kind == CodecKind::Duration) {
        text.append("duration<");
        text.add<typename T::rep>();
        text.append("," + std::to_string(T::period::num) + "/" + std::to_string(T::period::den) + ">");
    } else if constexpr (kind == CodecKind::TimePoint)
        text.addTemplate<typename T::duration>("time");
    else if constexpr (kind == CodecKind::Optional)
        text.addTemplate<typename T::value_type>("optional");
    else
        text.appendClass(typeid(T));    // has its own writeToInts, whose stream is unknown
}

template <class T>
void TypeText::add() {
    using Value = std::remove_const_t<T>;
    if constexpr (!fileTypeName<Value>.empty())
        append(fileTypeName<Value>);
    else if constexpr (HasOwnClassName<Value>)
        appendClass(Value::ferryClassName());
    else if constexpr (TemplateText<Value>::isKnown)
        TemplateText<Value>::add(*this);
    else
        addByKind<Value>(*this);
}

/// Whether a stream of one type can be read as the other type. The texts must be equal, with one exception: one side of a class with a
/// version may have fewer fields.
bool isSameType(std::string_view left, std::string_view right);

/// The text in files that describes the stream of a T, for example "sequence<{float64,float64}>" for std::vector<Point>.
template <class T>
std::string typeTextOf() {
    detail::TypeText text;
    text.add<T>();
    return text.text();
}

}    // namespace detail

}    // namespace ferry
