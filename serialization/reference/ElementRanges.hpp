#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace ferry::detail {

/// The vectors of a graph whose elements may be pointed to, for objects of one type.
class ElementRanges {
public:
    /// Which vector, numbered from 1 in the order in which they are met, and which element.
    struct Element {
        std::uint32_t vector = 0;
        std::size_t index = 0;
    };

    bool isEmpty() const noexcept { return ranges_.empty(); }

    /// Elements that lie side by side. Errors: UsageError when they overlap others.
    void add(const void* first, std::size_t count, std::size_t elementBytes, std::uint32_t number);

    /// The element at this address, none outside of all vectors. Errors: UsageError for an address inside of an element.
    std::optional<Element> find(const void* address) const;

private:
    struct Range {
        std::uintptr_t end = 0;
        std::size_t elementBytes = 0;
        std::uint32_t number = 0;
    };

    std::map<std::uintptr_t, Range> ranges_;    // by the address of the first element
};

}    // namespace ferry::detail
