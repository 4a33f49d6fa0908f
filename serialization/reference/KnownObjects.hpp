#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <ferry/serialization/reference/ElementRanges.hpp>
#include <ferry/serialization/reference/IdentityMap.hpp>
#include <ferry/serialization/reference/PointeeType.hpp>

namespace ferry::detail {

/// A place in a table for each type that is asked for, from 1 on, the same as long as the program runs.
std::uint32_t assignTypeIndex(std::atomic<std::uint32_t>& index) noexcept;

template <class T>
std::uint32_t typeIndex() noexcept {
    static constinit std::atomic<std::uint32_t> index{0};
    const std::uint32_t known = index.load(std::memory_order_relaxed);
    return known != 0 ? known : assignTypeIndex(index);
}

/// The objects and arrays of one type that the writer of a graph knows.
struct KnownBase {
    virtual ~KnownBase() = default;
};

template <class Map>
struct KnownObjects : KnownBase {
    Map map;
    bool isUsed = false;    ///< objects have been numbered
    ElementRanges elements;

    /// From the first block on: the map may take an address for the object that begins a little behind it.
    void noteObject(const void* identity) { recentObjects_.push_back(identity); }
    /// Whether an object, met since the first block of its type or shortly before, begins at this address. Reads nothing from there.
    bool isObjectAt(const void* address) {
        objects_.insert(recentObjects_.begin(), recentObjects_.end());
        recentObjects_.clear();
        return objects_.contains(address);
    }

private:
    std::vector<const void*> recentObjects_;
    boost::unordered_flat_set<const void*> objects_;
};

/// Objects of all classes derived from IntSerializableObject are known together: a pointer may be to any of their bases.
template <class T>
using Known =
    KnownObjects<typename std::conditional_t<isObject<T>, std::type_identity<AddressMap<sizeof(void*)>>, IdentityMapFor<T>>::type>;

struct KnownArray {
    std::uint32_t number = 0;
    std::size_t count = 0;
};
template <class T>
struct KnownArrays : KnownBase {
    boost::unordered_flat_map<const T*, KnownArray> map;
};

/// The address by which an object is known: the beginning of the whole object.
template <class T>
const void* identityOf(const T& object) noexcept {
    if constexpr (isObject<T>)
        return dynamic_cast<const void*>(&object);
    else
        return &object;
}
/// The identity of an object in the form that a map of identities is asked with.
template <class T>
auto identityForMap(const T* object) noexcept {
    if constexpr (isObject<T>)
        return identityOf(*object);
    else
        return object;
}

template <class T>
bool isNumbered(const T& object, Known<T>& known) {
    if constexpr (requires { known.map.find(identityForMap(&object)); })
        return known.map.find(identityForMap(&object)) != 0;
    else
        return known.map.numberOf(identityForMap(&object)) != 0;
}

/// Whether the address is that of an object; also when nothing may be read from there, where the map can be asked for any address.
template <class T>
bool isNumberedAddress(const void* address, Known<T>& known) {
    if constexpr (requires { known.map.find(static_cast<const T*>(address)); }) return known.map.find(static_cast<const T*>(address)) != 0;
    return known.isObjectAt(address);
}

/// Whether the address, `behind.offset` bytes behind the end of a block, is what a pointer to a T one past the last element is.
template <class T>
bool isEndAsSeenBy(const ElementRanges::Behind& behind) {
    if constexpr (isObject<T>) {    // the T inside the first element says where in an element a T is
        const auto* first = dynamic_cast<const T*>(static_cast<const IntSerializableObject*>(behind.range->firstPointee));
        return first != nullptr && reinterpret_cast<std::uintptr_t>(first) - behind.range->begin == behind.offset;
    } else {
        return behind.offset == 0;
    }
}

}    // namespace ferry::detail
