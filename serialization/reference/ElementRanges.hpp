#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include <boost/unordered/unordered_flat_map.hpp>

namespace ferry::detail {

/// The possible owners of the memory behind the elements of a block.
enum class BlockMemory {
    Anywhere,    ///< the block lies where the user has put it: anything may follow at once
    Full,        ///< a vector has allocated it, and it ends with the last element
    Spare,       ///< a vector has allocated it, and there is room for an element more
};

/// The blocks of memory in a graph whose elements may be pointed to, for objects of one type: vectors and arrays.
///
/// An address that a block ends with is no object, unless another block or an object of the graph begins there. So blocks that hold nothing
/// are known too, and the ends of arrays inside objects, whose elements have no numbers.
class ElementRanges {
public:
    /// An element: the number of its vector, counted from 1 in the order of meeting, and its index.
    struct Element {
        std::uint32_t vector = 0;
        std::size_t index = 0;
    };
    struct Range {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        std::size_t elementBytes = 0;
        std::uint32_t number = 0;
        const void* firstPointee = nullptr;    ///< pointeeAddress of the first element
        bool isEndWritten = false;             ///< a pointer to the end was met

        std::size_t count() const noexcept { return (end - begin) / elementBytes; }
    };
    /// The contents of an address, as far as the blocks tell.
    struct Behind {
        enum class Kind {
            Element,       ///< in an element of `range`, `offset` bytes behind its beginning
            Elsewhere,     ///< not at the end of any block
            End,           ///< the last element of `range` lies before it, or may: `offset` bytes are between its end and the address
            Nothing,       ///< in the memory of a vector that has no elements
            EmptyArray,    ///< where an array of no elements is said to be
            UnknownEnd,    ///< the end of elements without numbers
        };
        Kind kind = Kind::Elsewhere;
        Range* range = nullptr;
        std::size_t offset = 0;
    };

    bool isEmpty() const noexcept { return ranges_.empty() && empty_.empty() && edges_.empty(); }

    /// Elements that lie side by side. Errors: UsageError when they overlap others, and when a pointer to their beginning was taken for the
    /// end of others.
    void add(const Range& range);
    /// A block that holds nothing. It may be met again.
    void addEmpty(const void* first, std::size_t elementBytes, BlockMemory memory);
    /// Elements without numbers.
    void addUnnumbered(const void* first, std::size_t bytes);

    /// The element that begins so many bytes behind the beginning of a range. Errors: UsageError for the inside of an element.
    static Element elementAt(const Range& range, std::size_t offset);

    /// Describes an address that nothing may be read from.
    Behind findBehind(const void* address);

private:
    struct Empty {
        std::uintptr_t end = 0;
        BlockMemory memory = BlockMemory::Anywhere;
    };
    struct Edge {
        bool isBegin = false;
        bool isEnd = false;
    };

    std::map<std::uintptr_t, Range> ranges_;                   // by the address of the first element
    std::map<std::uintptr_t, Empty> empty_;                    // by their address
    boost::unordered_flat_map<std::uintptr_t, Edge> edges_;    // of elements without numbers
};

}    // namespace ferry::detail
