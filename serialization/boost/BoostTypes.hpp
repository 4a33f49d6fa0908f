#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>

#include <boost/archive/basic_archive.hpp>
#include <boost/scoped_ptr.hpp>
#include <boost/serialization/collection_size_type.hpp>
#include <boost/serialization/is_bitwise_serializable.hpp>
#include <boost/serialization/item_version_type.hpp>
#include <boost/serialization/nvp.hpp>
#include <boost/serialization/string.hpp>
#include <boost/shared_ptr.hpp>
#include <boost/weak_ptr.hpp>

// Distinguishes the types that Boost.Serialization passes to the two archives.

namespace ferry::detail {

/// How deep objects may be nested in each other in one archive. Each level of Boost's recursion takes some hundred bytes of the stack, and
/// several times as much with a sanitizer.
inline constexpr std::size_t boostDepth = 2000;

/// Number of bytes of a long double that hold its value. The others are padding.
inline constexpr std::size_t longDoubleBytes = std::numeric_limits<long double>::digits == 64 ? 10 : sizeof(long double);

/// The bytes of which an array that Boost copies as it lies is made (ByteOrder.hpp): those of a number, or single ones.
template <class T>
inline constexpr std::size_t boostGrainBytes = std::is_arithmetic_v<T> && sizeof(T) <= 8 ? sizeof(T) : 1;

/// Numbers that Boost wraps into its own types. All of them fit into 32 bits.
template <class T>
concept BoostNumber = std::same_as<T, boost::archive::version_type> || std::same_as<T, boost::archive::class_id_type> ||
    std::same_as<T, boost::archive::class_id_reference_type> || std::same_as<T, boost::archive::object_id_type> ||
    std::same_as<T, boost::archive::object_reference_type> || std::same_as<T, boost::archive::tracking_type> ||
    std::same_as<T, boost::serialization::item_version_type>;

template <class T>
concept BoostText = std::same_as<T, std::string> || std::same_as<T, std::wstring>;

template <class T>
inline constexpr bool isBoostNamedValue = false;
template <class T>
inline constexpr bool isBoostNamedValue<boost::serialization::nvp<T>> = true;

template <class T>
concept BoostVariant = requires(const T& variant) {
    typename T::types;
    { variant.which() } -> std::same_as<int>;
};

/// Types whose arrays are copied in one piece.
template <class T>
inline constexpr bool isBoostBulk = boost::serialization::is_bitwise_serializable<T>::type::value;

/// The owner of an object that is read through a pointer.
enum class BoostOwner {
    None,      ///< a raw pointer: no known owner
    Unique,    ///< one std::unique_ptr or boost::scoped_ptr
    Shared,    ///< std::shared_ptr or boost::shared_ptr, by means of Boost's shared_ptr_helper
    Weak       ///< like Shared, but only as long as the archive exists
};

template <class T>
inline constexpr BoostOwner boostOwner = BoostOwner::None;
template <class T, class Deleter>
inline constexpr BoostOwner boostOwner<std::unique_ptr<T, Deleter>> = BoostOwner::Unique;
template <class T>
inline constexpr BoostOwner boostOwner<boost::scoped_ptr<T>> = BoostOwner::Unique;
template <class T>
inline constexpr BoostOwner boostOwner<std::shared_ptr<T>> = BoostOwner::Shared;
template <class T>
inline constexpr BoostOwner boostOwner<boost::shared_ptr<T>> = BoostOwner::Shared;
template <class T>
inline constexpr BoostOwner boostOwner<std::weak_ptr<T>> = BoostOwner::Weak;
template <class T>
inline constexpr BoostOwner boostOwner<boost::weak_ptr<T>> = BoostOwner::Weak;

/// The elements that the next count in the stream counts.
struct BoostElements {
    std::size_t bits = 8;     ///< least number of bits of an element in the stream; 0: an element may take none
    std::size_t bytes = 1;    ///< bytes of an element in memory
    bool areHashed = false;
    bool areThere = false;    ///< an array has its elements already

    /// As ReadLimits::isRoomy: whether a new element takes more than 32 bytes of memory for each 32 bits.
    bool isRoomy() const noexcept { return !areThere && bytes > bits; }
};

template <class T>
BoostElements boostElementsOf() {
    BoostElements elements;
    if constexpr (std::is_array_v<T>) {
        using Element = std::remove_extent_t<T>;
        elements.bytes = sizeof(Element);
        elements.bits = isBoostBulk<Element> ? 8 * sizeof(Element) : 32;
        elements.areThere = true;
    } else if constexpr (requires(T & container) {
                             typename T::value_type;
                             container.begin();
                             container.size();
                         }) {
        using Element = typename T::value_type;
        elements.bytes = sizeof(Element);
        elements.bits = isBoostBulk<Element> ? 8 * sizeof(Element) : std::is_empty_v<Element> ? 0 : 32;
        elements.areHashed = requires(T & container) { container.bucket_count(); };
    }
    return elements;
}

}    // namespace ferry::detail
