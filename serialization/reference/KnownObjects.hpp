#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include <ferry/serialization/ints/SoleOwner.hpp>
#include <ferry/serialization/reference/ElementRanges.hpp>
#include <ferry/serialization/reference/IdentityMap.hpp>
#include <ferry/serialization/reference/PointeeType.hpp>

namespace ferry::detail {

/// Gives a type its index in tables. Indices start at 1 and stay the same as long as the program runs.
std::uint32_t assignTypeIndex(std::atomic<std::uint32_t>& index) noexcept;

template <class T>
std::uint32_t typeIndex() noexcept {
    static constinit std::atomic<std::uint32_t> index{0};
    const std::uint32_t known = index.load(std::memory_order_relaxed);
    return known != 0 ? known : assignTypeIndex(index);
}

/// A graph writer's data about the objects and arrays of one type.
struct KnownBase {
    virtual ~KnownBase() = default;
};

/// Identities of objects, for questions whether an object begins at an address.
class KnownIdentities {
public:
    KnownIdentities() noexcept;
    KnownIdentities(const KnownIdentities&) = delete;
    KnownIdentities& operator=(const KnownIdentities&) = delete;
    ~KnownIdentities();

    void add(const void* identity);
    bool contains(const void* address);

private:
    struct Table;

    SoleOwner<Table> table_;    // null: no identity has been added
};

template <class Map>
struct KnownObjects : KnownBase {
    Map map;
    bool isUsed = false;    ///< true: objects have been numbered
    ElementRanges elements;

    /// To be called from the first block on. Needed because the map may give an address the number of an object that begins a little behind
    /// this address.
    void noteObject(const void* identity) { identities_.add(identity); }
    /// Whether an object begins at this address. Only objects met since the first block of its type, or shortly before, are known. Reads no
    /// memory at the address.
    bool isObjectAt(const void* address) { return identities_.contains(address); }

private:
    KnownIdentities identities_;
};

/// All objects of classes derived from IntSerializableObject share one map, because a pointer may point to any of their bases.
template <class T>
using Known =
    KnownObjects<typename std::conditional_t<isObject<T>, std::type_identity<AddressMap<sizeof(void*)>>, IdentityMapFor<T>>::type>;

/// Whether an object is read already when its number is looked up: for its class, or for a mark inside of it.
template <class T>
inline constexpr bool isReadWhenMet = isObject<T> || !requires(const Known<T>& known, const T* object) {
    known.map.find(object);
};

struct KnownArray {
    std::uint32_t number = 0;
    std::size_t count = 0;
};
/// The arrays of one type that a graph writer has met.
class KnownArrays final : public KnownBase {
public:
    KnownArrays();
    ~KnownArrays() override;

    /// The array with this first element. A new array has the number 0. Valid until the next call.
    KnownArray& at(const void* first);

private:
    struct Table;

    const SoleOwner<Table> table_;
};

/// The address that identifies an object: the beginning of the whole object.
template <class T>
const void* identityOf(const T& object) noexcept {
    if constexpr (isObject<T>)
        return dynamic_cast<const void*>(std::addressof(object));
    else
        return std::addressof(object);
}
/// The argument for the map.
template <class T>
auto identityForMap(const T* object) noexcept {
    if constexpr (isObject<T>)
        return identityOf(*object);
    else
        return object;
}

template <class T>
bool isNumbered(const T& object, Known<T>& known) {
    if constexpr (requires { known.map.find(identityForMap(std::addressof(object))); })
        return known.map.find(identityForMap(std::addressof(object))) != 0;
    else
        return known.map.numberOf(identityForMap(std::addressof(object))) != 0;
}

/// Whether an object begins at this address. If the map can look up any address, no memory at the address is read.
template <class T>
bool isNumberedAddress(const void* address, Known<T>& known) {
    if constexpr (requires { known.map.find(static_cast<const T*>(address)); }) return known.map.find(static_cast<const T*>(address)) != 0;
    return known.isObjectAt(address);
}

/// Whether a pointer to a T one past the last element has this address. The address is `behind.offset` bytes after the end of a block.
template <class T>
bool isEndAsSeenBy(const ElementRanges::Behind& behind) {
    if constexpr (isObject<T>) {    // the T inside the first element gives the offset of a T in an element
        const auto* first = dynamic_cast<const T*>(static_cast<const IntSerializableObject*>(behind.range->firstPointee));
        return first != nullptr && reinterpret_cast<std::uintptr_t>(first) - behind.range->begin == behind.offset;
    } else {
        return behind.offset == 0;
    }
}

}    // namespace ferry::detail
