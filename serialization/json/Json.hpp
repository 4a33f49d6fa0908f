#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/ValueText.hpp>
#include <ferry/serialization/ints/FieldNames.hpp>
#include <ferry/serialization/ints/fail.hpp>
#include <ferry/serialization/ints/rangeConcepts.hpp>
#include <ferry/serialization/json/JsonTree.hpp>
#include <ferry/serialization/json/JsonWriter.hpp>

namespace ferry {

namespace detail {

template <class T>
inline constexpr bool hasNoJson = false;

/// Text as JSON has it: a std::string with any allocator.
template <class T>
inline constexpr bool isJsonText = false;
template <class Traits, class Allocator>
inline constexpr bool isJsonText<std::basic_string<char, Traits, Allocator>> = true;
template <class T>
concept JsonText = isJsonText<T>;

/// A std::array, which has a fixed number of elements.
template <class T>
concept JsonArray = IsTuple<T> && HasElements<T>;

/// A smart pointer that owns one object of exactly its class.
template <class T>
concept JsonPointer = IsSmartPointer<T> && !std::is_array_v<typename T::element_type> && !std::is_polymorphic_v<typename T::element_type> &&
                      requires(T & pointer, typename T::element_type* object) {
    pointer.reset(object);
};

/// Whether an empty value is null in JSON.
template <class T>
inline constexpr bool mayBeNull = codecKind<T> == CodecKind::Optional || JsonPointer<T>;

template <class T>
void requireNotNullInside() {
    static_assert(!mayBeNull<std::remove_cvref_t<decltype(*std::declval<T&>())>>,
                  "ferry: JSON cannot tell an empty pointer or optional (see T) from one that holds an empty one");
}

template <class T>
void writeJson(JsonWriter& out, const T& value);
template <class T>
void readJson(const JsonNode& node, T& value);

template <class Elements>
void writeJsonElements(JsonWriter& out, const Elements& elements) {
    out.writeBetween('[', ']', [&] {
        for (const auto& element : elements) writeJson(out, static_cast<const std::ranges::range_value_t<const Elements>&>(element));
    });
}

template <class... Values>
void writeJsonValues(JsonWriter& out, const Values&... values) {
    out.writeBetween('[', ']', [&] { (writeJson(out, values), ...); });
}

/// Reads element after element, and tells the place of an error.
template <class Read>
void readJsonElements(const JsonNode& node, std::size_t count, const Read& read) {
    for (std::size_t i = 0; i < count; ++i) {
        try {
            read(node.element(i));
        } catch (...) {
            rethrowFromElement(i);
        }
    }
}

template <class... Values>
void readJsonValues(const JsonNode& node, Values&... values) {
    node.requireElements(sizeof...(Values));
    std::size_t index = 0;
    (readJson(node.element(index++), values), ...);
}

/// The name of a member for the entry of FERRY_FIELDS at this index.
template <class Owner, class Field>
std::string_view jsonNameOf(std::size_t index) {
    static_assert(!isFieldProxy<Field> || isBasePart<Field>,
                  "ferry: JSON has no form for entries of FERRY_FIELDS (see Field) such as ferry::arrayOf and ferry::owned");
    std::string_view name = fieldName(FieldAccess::names<Owner>(), index);
    if (const std::size_t begin = name.find('<'); isBasePart<Field> && begin != name.npos)
        name = name.substr(begin + 1, name.rfind('>') - begin - 1);    // ferry::baseOf<Base>(*this)
    return name;
}

template <class T>
void writeJsonFields(JsonWriter& out, const T& object) {
    FieldAccess::visit(object, [&out](const auto&... fields) {
        std::size_t index = 0;
        const auto write = [&]<class Field>(const Field& field) {
            out.beginMember(jsonNameOf<T, Field>(index++));
            if constexpr (isBasePart<Field>)
                writeJsonFields(out, field.object);
            else
                writeJson(out, field);
        };
        out.writeBetween('{', '}', [&] { (write(fields), ...); });
    });
}

template <class T>
void readJsonFields(const JsonNode& node, T& object) {
    FieldAccess::visit(object, [&node](auto&&... fields) {
        std::vector<std::string_view> names;
        (names.push_back(jsonNameOf<T, std::remove_cvref_t<decltype(fields)>>(names.size())), ...);
        node.requireMembers(names);
        std::size_t index = 0;
        const auto read = [&]<class Field>(Field& field) {
            const JsonNode member = node.member(names[index]);
            try {
                if constexpr (isBasePart<std::remove_const_t<Field>>)
                    readJsonFields(member, field.object);
                else
                    readJson(member, field);
            } catch (...) {
                rethrowFromField(FieldAccess::names<T>(), index);
            }
            ++index;
        };
        (read(fields), ...);
    });
}

/// Whether a key is at most once in the map.
template <class Map>
inline constexpr bool hasUniqueKeys =
    !std::is_same_v<decltype(std::declval<Map&>().insert(std::declval<typename Map::value_type>())), typename Map::iterator>;

/// Whether a map is an object of JSON, whose members have names of their own.
template <class Map>
inline constexpr bool isJsonObject = JsonText<typename Map::key_type>&& hasUniqueKeys<Map>;

template <class Map>
void writeJsonMap(JsonWriter& out, const Map& map) {
    if constexpr (!requires { typename Map::mapped_type; }) {
        writeJsonElements(out, map);
    } else if constexpr (isJsonObject<Map>) {
        out.writeBetween('{', '}', [&] {
            for (const auto& [key, value] : map) {
                out.beginMember(key);
                writeJson(out, value);
            }
        });
    } else {
        out.writeBetween('[', ']', [&] {
            for (const auto& [key, value] : map) writeJsonValues(out, key, value);
        });
    }
}

/// Errors: SerializationError when the map has the key already.
template <class Map, class... Values>
void insertFromJson(Map& map, Values&&... values) {
    const std::size_t before = map.size();
    map.emplace(std::forward<Values>(values)...);
    if (map.size() == before) failReading("expected each key once, found one again");
}

template <class Map>
void readJsonMap(const JsonNode& node, Map& map) {
    using Key = typename Map::key_type;
    map.clear();
    if constexpr (!requires { typename Map::mapped_type; }) {
        readJsonElements(node, node.elementCount(), [&map](const JsonNode& element) {
            Key key{};
            readJson(element, key);
            insertFromJson(map, std::move(key));
        });
    } else if constexpr (isJsonObject<Map>) {
        for (const auto& [name, member] : node.members()) {
            typename Map::mapped_type value{};
            readJson(member, value);
            insertFromJson(map, Key(name.data(), name.size()), std::move(value));
        }
    } else {
        readJsonElements(node, node.elementCount(), [&map](const JsonNode& element) {
            Key key{};
            typename Map::mapped_type value{};
            readJsonValues(element, key, value);
            insertFromJson(map, std::move(key), std::move(value));
        });
    }
}

/// Reads the alternative at this index into the variant.
template <std::size_t Index, class Variant>
void readJsonAlternative(const JsonNode& node, Variant& value) {
    std::variant_alternative_t<Index, Variant> alternative{};
    readJson(node, alternative);
    value.template emplace<Index>(std::move(alternative));
}

template <class T>
void writeJson(JsonWriter& out, const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        out.writeBool(value);
    } else if constexpr (std::is_enum_v<T>) {
        writeJson(out, static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (ScalarValue<T>) {
        if constexpr (std::is_floating_point_v<T>)
            out.writeReal(value);
        else if constexpr (std::is_signed_v<T>)
            out.writeInteger(value);
        else
            out.writeUnsigned(value);
    } else {
        const JsonWriter::Level level(out);
        if constexpr (JsonText<T>) {
            out.writeText(std::string_view(value.data(), value.size()));
        } else if constexpr (codecKind<T> == CodecKind::Path) {
            out.writeText(value.native());
        } else if constexpr (codecKind<T> == CodecKind::Sequence || JsonArray<T> || std::is_array_v<T>) {
            writeJsonElements(out, value);
        } else if constexpr (codecKind<T> == CodecKind::Associative) {
            writeJsonMap(out, value);
        } else if constexpr (codecKind<T> == CodecKind::Optional || JsonPointer<T>) {
            requireNotNullInside<T>();
            if (value)
                writeJson(out, *value);
            else
                out.writeNull();
        } else if constexpr (IsVariant<T>) {
            out.writeBetween('[', ']', [&] {
                out.writeUnsigned(value.index());
                visit([&out](const auto& held) { writeJson(out, held); }, value);
            });
        } else if constexpr (IsTuple<T>) {
            std::apply([&out](const auto&... values) { writeJsonValues(out, values...); }, value);
        } else if constexpr (codecKind<T> == CodecKind::Duration) {
            writeJson(out, value.count());
        } else if constexpr (codecKind<T> == CodecKind::TimePoint) {
            writeJson(out, value.time_since_epoch().count());
        } else if constexpr (codecKind<T> == CodecKind::Complex) {
            writeJsonValues(out, value.real(), value.imag());
        } else if constexpr (FieldAccess::hasFields<T>()) {
            writeJsonFields(out, value);
        } else if constexpr (codecKind<T> == CodecKind::Aggregate) {
            visitAggregate(value, [&out](const auto&... fields) { writeJsonValues(out, fields...); });
        } else {
            static_assert(hasNoJson<T>, "ferry: values of this type (see T) have no JSON: give the class FERRY_FIELDS");
        }
    }
}

template <class T>
void readJson(const JsonNode& node, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        value = node.readBool();
    } else if constexpr (std::is_enum_v<T>) {
        std::underlying_type_t<T> number{};
        readJson(node, number);
        value = static_cast<T>(number);
    } else if constexpr (ScalarValue<T>) {
        if constexpr (std::is_floating_point_v<T>)
            value = static_cast<T>(node.readReal());
        else if constexpr (std::is_signed_v<T>)
            value = static_cast<T>(node.readInteger(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
        else
            value = static_cast<T>(node.readUnsigned(std::numeric_limits<T>::max()));
    } else if constexpr (JsonText<T>) {
        const std::string text = node.readText();
        value.assign(text.data(), text.size());
    } else if constexpr (codecKind<T> == CodecKind::Path) {
        value = T(node.readText());
    } else if constexpr (codecKind<T> == CodecKind::Sequence) {
        const std::size_t count = node.elementCount();
        value.clear();
        readJsonElements(node, count, [&value](const JsonNode& element) {
            typename T::value_type made{};
            readJson(element, made);
            value.push_back(std::move(made));
        });
    } else if constexpr (JsonArray<T> || std::is_array_v<T>) {
        node.requireElements(std::size(value));
        auto next = std::begin(value);
        readJsonElements(node, std::size(value), [&next](const JsonNode& element) { readJson(element, *next++); });
    } else if constexpr (codecKind<T> == CodecKind::Associative) {
        readJsonMap(node, value);
    } else if constexpr (codecKind<T> == CodecKind::Optional) {
        requireNotNullInside<T>();
        value.reset();
        if (!node.isNull()) readJson(node.inner(), value.emplace());
    } else if constexpr (JsonPointer<T>) {
        requireNotNullInside<T>();
        value.reset();
        if (node.isNull()) return;
        auto object = std::make_unique<std::remove_const_t<typename T::element_type>>();
        readJson(node.inner(), *object);
        value = std::move(object);
    } else if constexpr (IsVariant<T>) {
        node.requireElements(2);
        const auto index = static_cast<std::size_t>(node.element(0).readUnsigned(std::variant_size_v<T> - 1));
        [&]<std::size_t... indexes>(std::index_sequence<indexes...>) {
            ((index == indexes ? readJsonAlternative<indexes>(node.element(1), value) : void()), ...);
        }
        (std::make_index_sequence<std::variant_size_v<T>>());
    } else if constexpr (IsTuple<T>) {
        std::apply([&node](auto&... values) { readJsonValues(node, values...); }, value);
    } else if constexpr (codecKind<T> == CodecKind::Duration) {
        typename T::rep count{};
        readJson(node, count);
        value = T(count);
    } else if constexpr (codecKind<T> == CodecKind::TimePoint) {
        typename T::rep count{};
        readJson(node, count);
        value = T(typename T::duration(count));
    } else if constexpr (codecKind<T> == CodecKind::Complex) {
        typename T::value_type real{}, imaginary{};
        readJsonValues(node, real, imaginary);
        value = T(real, imaginary);
    } else if constexpr (FieldAccess::hasFields<T>()) {
        readJsonFields(node, value);
    } else if constexpr (codecKind<T> == CodecKind::Aggregate) {
        visitAggregate(value, [&node](auto&... fields) { readJsonValues(node, fields...); });
    } else {
        static_assert(hasNoJson<T>, "ferry: values of this type (see T) have no JSON: give the class FERRY_FIELDS");
    }
}

}    // namespace detail

/// The value as JSON, without blanks. A class with FERRY_FIELDS is an object with a member for each field. A plain struct is an array of
/// its fields, since the compiler does not tell their names. A map whose keys are texts is an object; a multimap is an array of pairs.
/// Containers, pairs and tuples are arrays; a std::variant is an array of the index and the value. An empty pointer or optional is null. An
/// enum, a duration and a char are numbers. An object with several owners is written for each of them. Infinite numbers
/// are the texts "inf", "-inf" and "nan". Errors: UsageError for texts that are no UTF-8, and for values that are nested deeper than 64
/// levels, such as a circle of pointers. Types without JSON do not compile: raw pointers, pointers to classes with virtual functions, long
/// double, an optional of an optional, and classes that write their ints by hand.
template <class T>
std::string toJson(const T& value) {
    detail::JsonWriter out;
    detail::writeJson(out, value);
    return out.take();
}

/// The value whose text toJson() has made. Errors: SerializationError, which names the place, for a text that is no JSON or not of this
/// type: another kind of value, a number that does not fit, a member that is missing or unknown, a name or key that comes twice.
template <class T>
T fromJson(std::string_view text) {
    const detail::JsonTree tree(text);
    T value{};
    detail::readJson(tree.root(), value);
    return value;
}

}    // namespace ferry
