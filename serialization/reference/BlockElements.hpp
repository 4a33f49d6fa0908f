#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <typeinfo>

#include <ferry/serialization/reference/PointeeType.hpp>

// The types that a program has as elements of vectors and arrays in graphs. Only a raw pointer to such a type may lead to the end of a
// block.

namespace ferry::detail {

/// A class of the hierarchy whose objects lie side by side. Its address never changes.
struct ElementClass {
    const std::type_info* type = nullptr;
    const ElementClass* next = nullptr;    // added before it
};

/// Adds a class to the list of all such classes. Returns true.
bool addElementClass(ElementClass& added) noexcept;
/// The number of classes in the list. More may come with a shared library.
extern std::atomic<std::uint32_t> elementClassCount;
/// Whether a class of the list is this class or derives from it.
bool isBaseOfElements(const std::type_info& base) noexcept;

/// Notes, before main(), that the program has elements of this type. For a class of the hierarchy, its bases count as well.
template <class T>
struct ElementUse {
    static inline bool isThere = false;
    static inline const bool mark = (isThere = true);
};
template <class T>
    requires(isObject<T>)
struct ElementUse<T> {
    static inline ElementClass entry{&typeid(T)};
    static inline const bool mark = addElementClass(entry);
};

/// To be instantiated where elements are written that lie side by side.
template <class T>
const bool* markElementUse() noexcept {
    return &ElementUse<std::remove_const_t<T>>::mark;
}

/// Whether the program has elements to which a raw pointer to T could lead. The value is known before main().
template <class T>
bool mayBeElement() noexcept {
    if constexpr (isObject<T>) {
        static constinit std::atomic<std::uint32_t> answer{0};    // 2 * number of the classes that were asked + the answer
        const std::uint32_t count = elementClassCount.load(std::memory_order_acquire);
        std::uint32_t known = answer.load(std::memory_order_relaxed);
        if (known / 2 != count) [[unlikely]] {
            known = 2 * count + (isBaseOfElements(typeid(T)) ? 1 : 0);
            answer.store(known, std::memory_order_relaxed);
        }
        return known % 2 != 0;
    } else {
        return ElementUse<std::remove_const_t<T>>::isThere;
    }
}

}    // namespace ferry::detail
