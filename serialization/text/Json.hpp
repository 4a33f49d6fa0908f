#pragma once

#include <array>
#include <concepts>
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
#include <ferry/serialization/ints/KeyOrder.hpp>
#include <ferry/serialization/ints/LostMembers.hpp>
#include <ferry/serialization/ints/ReadLimits.hpp>
#include <ferry/serialization/ints/fail.hpp>
#include <ferry/serialization/ints/rangeConcepts.hpp>
#include <ferry/serialization/text/JsonReader.hpp>
#include <ferry/serialization/text/JsonWriter.hpp>

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

/// Whether a class says itself what it holds, by FERRY_FIELDS or by functions of its own. Then its base classes do not say so.
template <class T>
inline constexpr bool tellsItsFields =
    codecKind<T> == CodecKind::Fields || codecKind<T> == CodecKind::Object || codecKind<T> == CodecKind::OwnMembers;

/// A pair or a tuple.
template <class T>
concept JsonTuple = IsTuple<T> && !tellsItsFields<T>;

/// A std::array, which has a fixed number of elements.
template <class T>
concept JsonArray = JsonTuple<T> && HasElements<T>;

template <class T>
concept JsonVariant = IsVariant<T> && !tellsItsFields<T>;

/// A smart pointer that owns one object of exactly its class.
template <class T>
concept JsonPointer = !tellsItsFields<T> && IsSmartPointer<T> && !std::is_array_v<typename T::element_type> &&
                      !std::is_polymorphic_v<typename T::element_type> && requires(T & pointer, typename T::element_type* object) {
    pointer.reset(object);
};

/// The size of a smart pointer that has no other members. One that is shared has a second pointer, to its count.
template <class T>
inline constexpr std::size_t pointerBytes = requires(const T& pointer) {
    pointer.use_count();
}
? 2 * sizeof(void*) : sizeof(void*);

/// Whether an empty value is null in JSON.
template <class T>
inline constexpr bool mayBeNull = codecKind<T> == CodecKind::Optional || JsonPointer<T>;

/// A container whose new last element can be read where it stays.
template <class T>
concept MadeAtEnd = requires(T& container) {
    { container.emplace_back() } -> std::same_as<typename T::value_type&>;
};

template <class T>
void requireNotNullInside() {
    static_assert(!mayBeNull<std::remove_cvref_t<decltype(*std::declval<T&>())>>,
                  "ferry: JSON cannot tell an empty pointer or optional (see T) from one that holds an empty one");
}

template <class T>
void writeJson(JsonWriter& out, const T& value);
template <class T>
void readJson(JsonReader& in, T& value);

/// Whether a value can be made. Reports the reason with a static_assert.
template <class T>
consteval bool requireMadeForJson() {
    constexpr bool canBeMade = std::is_default_constructible_v<T> && std::is_destructible_v<T>;
    static_assert(canBeMade, "ferry: a value (see T) that fromJson makes needs a default constructor");
    if constexpr (canBeMade) requireMadeReady<T>();
    return canBeMade;
}
/// Whether a value can be made and moved to its place. Reports the reason with a static_assert.
template <class T>
consteval bool requireMovedForJson() {
    constexpr bool canBeMoved = std::is_move_constructible_v<T>;
    static_assert(canBeMoved, "ferry: fromJson makes a value (see T) and moves it to its place, so its class must be movable");
    return requireMadeForJson<T>() && canBeMoved;
}

/// To be called for every class whose fields are an object of JSON.
template <class T>
consteval void requireFieldsForJson() {
    using Owner = FieldAccess::Owner<T>;
    static_assert(std::is_same_v<Owner, T> || (codecKind<T> == CodecKind::Object && sizeof(T) == sizeof(Owner)),
                  "ferry: the class inherits FERRY_FIELDS, which leaves out its own fields: give it FERRY_FIELDS_AFTER(Base, ...)");
    static_assert(ListedFields<T>::isChecked);
}

/// Bytes that a list, a tree or a hash table has for each element besides the element.
inline constexpr std::size_t JsonNodeBytes = 48;

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
void readJsonElements(std::size_t count, const Read& read) {
    for (std::size_t i = 0; i < count; ++i) {
        try {
            read();
        } catch (...) {
            rethrowFromElement(i);
        }
    }
}

template <class... Values>
void readJsonValues(JsonReader& in, Values&... values) {
    in.beginArray(sizeof...(Values));
    (readJson(in, values), ...);
}

/// The name of a member for the entry of FERRY_FIELDS at this index.
template <class Owner, class Field>
std::string_view jsonNameOf(std::size_t index) {
    static_assert(!isFieldProxy<Field> || isBasePart<Field>,
                  "ferry: JSON has no form for entries of FERRY_FIELDS (see Field) such as ferry::arrayOf and ferry::owned");
    std::string_view name = fieldName(FieldAccess::names<Owner>(), index);
    constexpr std::string_view call = "baseOf<";    // ferry::baseOf<Base>(*this)
    if (const std::size_t begin = name.find(call); isBasePart<Field> && begin != name.npos)
        name = name.substr(begin + call.size(), name.rfind('>') - begin - call.size());
    return name;
}

template <class T>
void writeJsonFields(JsonWriter& out, const T& object) {
    requireFieldsForJson<T>();
    ListedFields<T>::checkFirst(object);
    FieldAccess::visit(object, [&out](const auto&... fields) {
        std::size_t index = 0;
        const auto write = [&]<class Field>(const Field& field) {
            out.beginMember(jsonNameOf<T, Field>(index++));
            if constexpr (!isBasePart<Field>)
                writeJson(out, field);
            else if constexpr (FieldAccess::hasFields<std::remove_cvref_t<decltype(field.object)>>())
                writeJsonFields(out, field.object);
            else    // a container or another class of a library
                writeJson(out, field.object);
        };
        out.writeBetween('{', '}', [&] { (write(fields), ...); });
    });
}

template <class Field>
void readJsonField(JsonReader& in, Field& field) {
    if constexpr (!isBasePart<std::remove_const_t<Field>>)
        readJson(in, field);
    else if constexpr (FieldAccess::hasFields<std::remove_cvref_t<decltype(field.object)>>())
        readJsonFields(in, field.object);
    else
        readJson(in, field.object);
}

/// Reads the members in the order of the text.
template <class T>
void readJsonFields(JsonReader& in, T& object) {
    requireFieldsForJson<T>();
    FieldAccess::visit(object, [&in](auto&&... fields) {
        std::size_t named = 0;
        const std::array<std::string_view, sizeof...(fields)> names{jsonNameOf<T, std::remove_cvref_t<decltype(fields)>>(named++)...};
        std::array<bool, sizeof...(fields)> isRead{};
        for (std::size_t left = in.beginObject(); left > 0; --left) {
            const std::size_t chosen = in.readMember(names, isRead);
            std::size_t index = 0;
            try {
                (void)((index++ == chosen && (readJsonField(in, fields), true)) || ...);
            } catch (...) {
                rethrowFromField(FieldAccess::names<T>(), chosen);
            }
        }
        JsonReader::requireMembers(names, isRead);
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

/// Reads the value of a key into the map. Errors: SerializationError when the map has the key already.
template <class Map>
auto readJsonMapped(JsonReader& in, Map& map, typename Map::key_type&& key) {
    using Mapped = typename Map::mapped_type;
    if constexpr (!std::is_move_constructible_v<Mapped>) {    // is read where it stays
        const std::size_t before = map.size();
        const auto place =
            map.emplace_hint(map.end(), std::piecewise_construct, std::forward_as_tuple(std::move(key)), std::forward_as_tuple());
        if (map.size() == before) failReading("expected each key once, found one again");
        readJson(in, place->second);
        return place;
    } else {
        Mapped value{};
        readJson(in, value);
        return map.emplace_hint(map.end(), std::move(key), std::move(value));
    }
}

template <class Map>
consteval bool requireEntriesForJson() {
    if constexpr (requires { typename Map::mapped_type; })
        return requireMovedForJson<typename Map::key_type>() && requireMadeForJson<typename Map::mapped_type>();
    else
        return requireMovedForJson<typename Map::key_type>();
}

template <class Map>
void readJsonMap(JsonReader& in, Map& map) {
    using Key = typename Map::key_type;
    constexpr bool hasValues = requires { typename Map::mapped_type; };
    map.clear();
    requireKeyOrder(map);
    const auto begin = [&in] {
        if constexpr (hasValues && isJsonObject<Map>)
            return in.beginObject();
        else
            return in.beginArray();
    };
    const std::size_t count = begin();
    in.charge(count, sizeof(typename Map::value_type) + JsonNodeBytes);
    [[maybe_unused]] HashWatch<Map> watch;
    const auto read = [&] {
        const std::size_t before = map.size();
        const auto place = [&] {
            if constexpr (!hasValues) {
                Key key{};
                readJson(in, key);
                return map.emplace_hint(map.end(), std::move(key));
            } else if constexpr (isJsonObject<Map>) {
                const std::string_view name = in.readName();
                const auto inserted = readJsonMapped(in, map, Key(name.data(), name.size()));
                if (map.size() == before) failKeyAgain(name);
                return inserted;
            } else {
                in.beginArray(2);
                Key key{};
                readJson(in, key);
                return readJsonMapped(in, map, std::move(key));
            }
        }();
        if (map.size() == before) failReading("expected each key once, found one again");
        if constexpr (HashedContainer<Map>) watch.noteInserted(in, map, place);
    };
    if constexpr (hasValues && isJsonObject<Map>)
        for (std::size_t i = 0; i < count; ++i) read();
    else
        readJsonElements(count, read);
}

template <class T>
void readJsonSequence(JsonReader& in, T& value) {
    using Element = typename T::value_type;
    const std::size_t count = in.beginArray();
    value.clear();
    in.charge(count, sizeof(Element) + (Contiguous<T> || isDeque<T> ? 0 : JsonNodeBytes));
    if constexpr (isDeque<T>) in.charge(1, EmptyDequeBytes);
    if constexpr (canGrow<T> && requires { value.reserve(count); }) value.reserve(count);
    if constexpr (!canGrow<T>) {
        resizeTo(value, count);
        auto next = value.begin();
        readJsonElements(count, [&in, &next] { readJson(in, *next++); });
    } else {
        readJsonElements(count, [&in, &value] {
            if constexpr (MadeAtEnd<T>) {
                readJson(in, value.emplace_back());
            } else {    // a std::vector<bool>, a text of wide characters
                Element made{};
                readJson(in, made);
                value.push_back(std::move(made));
            }
        });
    }
}

/// Reads the alternative at this index into the variant.
template <std::size_t Index, class Variant>
void readJsonAlternative(JsonReader& in, Variant& value) {
    using Alternative = std::variant_alternative_t<Index, Variant>;
    if constexpr (requireMadeForJson<Alternative>()) {
        if constexpr (requires {
                          { value.template emplace<Index>() } -> std::same_as<Alternative&>;
                      }) {
            readJson(in, value.template emplace<Index>());
        } else if constexpr (requireMovedForJson<Alternative>()) {
            Alternative alternative{};
            readJson(in, alternative);
            value.template emplace<Index>(std::move(alternative));
        }
    }
}

/// To be called for every type that is recognised by its functions.
template <class T>
consteval void requireNoLossInJson() {
    constexpr CodecKind kind = codecKind<T>;
    if constexpr (kind == CodecKind::Duration)
        requireNoLoss<T, sizeof(typename T::rep)>();
    else if constexpr (kind == CodecKind::TimePoint)
        requireNoLoss<T, sizeof(typename T::duration)>();
    else if constexpr (kind == CodecKind::Complex)
        requireNoLoss<T, 2 * sizeof(typename T::value_type)>();
    else if constexpr (kind == CodecKind::Optional)
        requireNoLoss<T, sizeof(typename T::value_type) + alignof(T)>();
    else if constexpr (kind == CodecKind::Sequence || kind == CodecKind::Associative || kind == CodecKind::Path)
        requireNoLoss<T>();
    else if constexpr (JsonPointer<T>)
        requireNoLoss<T, pointerBytes<T>, PointerBase<T>>();
    else if constexpr (JsonVariant<T>)
        requireNoLoss<T, 0, VariantBase<T>>();
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
        requireNoLossInJson<T>();
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
        } else if constexpr (JsonVariant<T>) {
            out.writeBetween('[', ']', [&] {
                out.writeUnsigned(value.index());
                visit([&out](const auto& held) { writeJson(out, held); }, value);
            });
        } else if constexpr (JsonTuple<T>) {
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
void readJson(JsonReader& in, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        value = in.readBool();
    } else if constexpr (std::is_enum_v<T>) {
        std::underlying_type_t<T> number{};
        readJson(in, number);
        value = static_cast<T>(number);
    } else if constexpr (ScalarValue<T>) {
        if constexpr (std::is_same_v<T, float>)
            value = in.readFloat();
        else if constexpr (std::is_floating_point_v<T>)
            value = static_cast<T>(in.readReal());
        else if constexpr (std::is_signed_v<T>)
            value = static_cast<T>(in.readInteger(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
        else
            value = static_cast<T>(in.readUnsigned(std::numeric_limits<T>::max()));
    } else {
        requireNoLossInJson<T>();
        const JsonReader::Level level(in);
        if constexpr (JsonText<T>) {
            const std::string_view text = in.readText();
            value.assign(text.data(), text.size());
        } else if constexpr (codecKind<T> == CodecKind::Path) {
            value = T(std::string(in.readText()));
        } else if constexpr (codecKind<T> == CodecKind::Sequence) {
            if constexpr (requireMadeForJson<typename T::value_type>()) readJsonSequence(in, value);
        } else if constexpr (JsonArray<T> || std::is_array_v<T>) {
            in.beginArray(std::size(value));
            auto next = std::begin(value);
            readJsonElements(std::size(value), [&in, &next] { readJson(in, *next++); });
        } else if constexpr (codecKind<T> == CodecKind::Associative) {
            if constexpr (requireEntriesForJson<T>()) readJsonMap(in, value);
        } else if constexpr (codecKind<T> == CodecKind::Optional) {
            requireNotNullInside<T>();
            value.reset();
            if constexpr (requireMadeForJson<typename T::value_type>()) {
                if (!in.readNull()) readJson(in, value.emplace());
            }
        } else if constexpr (JsonPointer<T>) {
            using Object = std::remove_const_t<typename T::element_type>;
            requireNotNullInside<T>();
            value.reset();
            if (in.readNull()) return;
            in.charge(1, sizeof(Object) + JsonNodeBytes);
            if constexpr (requireMadeForJson<Object>()) {
                auto object = std::make_unique<Object>();
                readJson(in, *object);
                value = std::move(object);
            }
        } else if constexpr (JsonVariant<T>) {
            in.beginArray(2);
            const auto index = static_cast<std::size_t>(in.readUnsigned(std::variant_size_v<T> - 1));
            [&]<std::size_t... indexes>(std::index_sequence<indexes...>) {
                ((index == indexes ? readJsonAlternative<indexes>(in, value) : void()), ...);
            }
            (std::make_index_sequence<std::variant_size_v<T>>());
        } else if constexpr (JsonTuple<T>) {
            std::apply([&in](auto&... values) { readJsonValues(in, values...); }, value);
        } else if constexpr (codecKind<T> == CodecKind::Duration) {
            typename T::rep count{};
            readJson(in, count);
            value = T(count);
        } else if constexpr (codecKind<T> == CodecKind::TimePoint) {
            typename T::rep count{};
            readJson(in, count);
            value = T(typename T::duration(count));
        } else if constexpr (codecKind<T> == CodecKind::Complex) {
            typename T::value_type real{}, imaginary{};
            readJsonValues(in, real, imaginary);
            value = T(real, imaginary);
        } else if constexpr (FieldAccess::hasFields<T>()) {
            readJsonFields(in, value);
        } else if constexpr (codecKind<T> == CodecKind::Aggregate) {
            visitAggregate(value, [&in](auto&... fields) { readJsonValues(in, fields...); });
        } else {
            static_assert(hasNoJson<T>, "ferry: values of this type (see T) have no JSON: give the class FERRY_FIELDS");
        }
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
/// type: another kind of value, a number that does not fit, a member that is missing or unknown, a name or key that comes twice. The
/// limits are those of messages: the elements and objects may take 192 bytes of memory for each byte of the text, and 16 MiB besides
/// (ReadLimits::memoryPerByte, memoryBase).
template <class T>
T fromJson(std::string_view text, const ReadLimits& limits = ReadLimits::getDefault()) {
    if constexpr (detail::requireMovedForJson<T>()) {
        detail::JsonReader in(text, limits);
        T value{};
        detail::readJson(in, value);
        return value;
    }
}

}    // namespace ferry
