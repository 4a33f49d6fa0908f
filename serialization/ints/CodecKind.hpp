#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <ferry/serialization/ints/IntSerializableObject.hpp>
#include <ferry/serialization/ints/LostMembers.hpp>

// Decides which codec a type uses. Types are recognised by their operations. So no header of the standard library is included for types
// that a program does not use. Containers of other libraries that look like the standard ones travel too.

namespace ferry {

class IntReader;
class IntWriter;

/// Whether values of type T travel by their functions for Boost.Serialization, even if T could also travel another way. To use it,
/// specialise useBoost for the type and include <ferry/serialization/boost/BoostBridge.hpp>.
template <class T>
inline constexpr bool useBoost = false;

namespace detail {

enum class CodecKind {
    None,           ///< no codec, or one of its own (a specialisation of Codec)
    Scalar,         ///< arithmetic types and enums
    Object,         ///< derived from IntSerializableObject
    Fields,         ///< with FERRY_FIELDS
    OwnMembers,     ///< with members writeToInts and readFromInts of its own
    Path,           ///< std::filesystem::path
    Sequence,       ///< vector, string, deque, list: a count and elements
    Associative,    ///< map, set and their multi and unordered forms
    Forward,        ///< forward_list
    Numbers,        ///< valarray
    Adaptor,        ///< stack, queue, priority_queue
    Bits,           ///< std::bitset
    Complex,        ///< std::complex
    Duration,       ///< std::chrono::duration
    TimePoint,      ///< std::chrono::time_point
    Optional,       ///< std::optional
    Aggregate,      ///< a plain struct
};

/// Reaches the members that FERRY_FIELDS adds to a class, whether they are public or private there.
struct FieldAccess {
    template <class T>
    static auto self(const T* object) -> decltype(object->ferrySelf());
    static const void* self(const void*);

    template <class T>
    static consteval bool hasFields() {
        return !std::is_same_v<decltype(self(static_cast<const T*>(nullptr))), const void*>;
    }

    /// The class in which FERRY_FIELDS stands: T or a base of T.
    template <class T>
    using Owner = std::remove_const_t<std::remove_pointer_t<decltype(self(static_cast<const T*>(nullptr)))>>;

    template <class T>
    static auto someSelf(const T* object) -> decltype(object->ferrySomeSelf());
    static const void* someSelf(const void*);

    /// Whether FERRY_FIELDS_SOME stands in the class itself.
    template <class T>
    static consteval bool listsSome() {
        return std::is_same_v<decltype(someSelf(static_cast<const T*>(nullptr))), const T*>;
    }

    /// Calls the visitor once, with all fields.
    template <class T, class Visitor>
    static decltype(auto) visit(T& object, Visitor&& visitor) {
        return object.ferryVisitFields(std::forward<Visitor>(visitor));
    }
    template <class T>
    static constexpr const char* names() {
        return T::ferryFieldNames();
    }
    /// Version of the fields. 0: the fields have no version.
    template <class T>
    static consteval std::int32_t version() {
        return T::ferryFieldsVersion();
    }
};

template <class T>
concept ScalarValue = (std::is_arithmetic_v<T> && sizeof(T) <= 8) || std::is_enum_v<T>;

template <class T>
concept OwnMembersValue = requires(const T& constant, T& value, IntWriter& out, IntReader& in) {
    constant.writeToInts(out);
    value.readFromInts(in);
};

template <class T>
concept PathValue = requires(const T& path) {
    typename T::string_type;
    T::preferred_separator;
    path.native();
};

template <class T>
concept ContainerValue = requires(T& container) {
    typename T::value_type;
    container.begin();
    container.end();
    container.clear();
    { container.size() } -> std::convertible_to<std::size_t>;
};

template <class T>
concept AssociativeValue = ContainerValue<T> && requires {
    typename T::key_type;
    typename T::node_type;
};

template <class T>
concept KeyedValue = requires {
    typename T::key_type;
};

template <class T>
concept SequenceValue = ContainerValue<T> && !KeyedValue<T> && requires(T & container) {
    container.push_back(std::declval<typename T::value_type>());
    container.back();
};

template <class T>
concept ForwardValue = requires(T& container) {
    typename T::value_type;
    container.begin();
    container.end();
    container.clear();
    container.emplace_after(container.before_begin());
};

template <class T>
concept NumbersValue = requires(T& numbers, const T& constant) {
    typename T::value_type;
    { constant.size() } -> std::convertible_to<std::size_t>;
    numbers.resize(constant.size());
    numbers[0];
    {constant.cshift(1)};
};

/// The container of a stack, queue or priority_queue, which only derived classes may name.
template <class T>
struct OpenedAdaptor : T {
    static typename T::container_type& containerOf(T& adaptor) { return adaptor.*&OpenedAdaptor::c; }
    static const typename T::container_type& containerOf(const T& adaptor) { return adaptor.*&OpenedAdaptor::c; }
};

template <class T>
concept AdaptorValue = !std::is_final_v<T> && requires(T & adaptor) {
    typename T::container_type;
    typename T::value_type;
    adaptor.pop();
    { adaptor.empty() } -> std::same_as<bool>;
    requires isLibraryClass<T>() || !std::is_void_v<ContainerBase<T>>;
};

template <class T>
inline constexpr bool isBits = false;
template <std::size_t N, template <std::size_t> class Bits>
inline constexpr bool isBits<Bits<N>> = requires(Bits<N>& bits) {
    bits.set(N, true);
    bits.test(N);
    bits.to_ulong();
};

template <class T>
concept ComplexValue = requires(const T& number) {
    typename T::value_type;
    requires std::is_floating_point_v<typename T::value_type>;
    { number.real() } -> std::same_as<typename T::value_type>;
    { number.imag() } -> std::same_as<typename T::value_type>;
    T(number.real(), number.imag());
};

template <class T>
concept DurationValue = requires(const T& duration) {
    typename T::rep;
    typename T::period;
    { duration.count() } -> std::same_as<typename T::rep>;
    T(duration.count());
};

template <class T>
concept TimePointValue = requires(const T& time) {
    typename T::clock;
    { time.time_since_epoch() } -> std::same_as<typename T::duration>;
    T(time.time_since_epoch());
};

template <class T>
concept OptionalValue = requires(T& optional) {
    typename T::value_type;
    { optional.has_value() } -> std::same_as<bool>;
    optional.reset();
    *optional;
};

/// The kind of a class that is recognised by its operations. None: it is no such class.
template <class T>
consteval CodecKind findKindByOperations() {
    if constexpr (PathValue<T>)
        return CodecKind::Path;
    else if constexpr (AssociativeValue<T>)
        return CodecKind::Associative;
    else if constexpr (SequenceValue<T>)
        return CodecKind::Sequence;
    else if constexpr (ForwardValue<T>)
        return CodecKind::Forward;
    else if constexpr (isBits<T>)
        return CodecKind::Bits;
    else if constexpr (ComplexValue<T>)
        return CodecKind::Complex;
    else if constexpr (DurationValue<T>)
        return CodecKind::Duration;
    else if constexpr (TimePointValue<T>)
        return CodecKind::TimePoint;
    else if constexpr (OptionalValue<T>)
        return CodecKind::Optional;
    else if constexpr (NumbersValue<T>)
        return CodecKind::Numbers;
    else if constexpr (AdaptorValue<T>)
        return CodecKind::Adaptor;
    else
        return CodecKind::None;
}

template <class T>
consteval CodecKind findCodecKind() {
    if constexpr (useBoost<T>)
        return CodecKind::None;
    else if constexpr (ScalarValue<T>)
        return CodecKind::Scalar;
    else if constexpr (!std::is_class_v<T> || std::is_volatile_v<T>)
        return CodecKind::None;
    else if constexpr (std::is_base_of_v<IntSerializableObject, T>)
        return CodecKind::Object;
    else if constexpr (FieldAccess::hasFields<T>())
        return CodecKind::Fields;
    else if constexpr (OwnMembersValue<T>)
        return CodecKind::OwnMembers;
    else {
        constexpr CodecKind kind = findKindByOperations<T>();
        constexpr bool isPlainStruct = std::is_aggregate_v<T> && !std::is_polymorphic_v<T>;
        if constexpr (kind == CodecKind::None)
            return isPlainStruct ? CodecKind::Aggregate : CodecKind::None;
        else if constexpr (isPlainStruct)    // with the operations of a container of its own: all of its fields travel
            return isLibraryClass<T>() || !std::is_void_v<ContainerBase<T>> ? kind : CodecKind::Aggregate;
        else
            return kind;
    }
}

template <class T>
inline constexpr CodecKind codecKind = detail::findCodecKind<T>();

}    // namespace detail

}    // namespace ferry
