#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <ferry/serialization/ints/SoleOwner.hpp>

namespace ferry::detail {

/// Describes the memory behind the elements of a block.
enum class BlockMemory {
    Anywhere,    ///< the user chose the place of the block; other objects may follow immediately
    Full,        ///< allocated by a vector; ends with the last element
    Spare,       ///< allocated by a vector; has room for at least one more element
};

/// The memory behind the elements of a block, and the number of elements for which it has room.
struct RoomBehind {
    BlockMemory memory = BlockMemory::Anywhere;
    std::size_t count = 0;
};

/// The blocks of memory in a graph whose elements pointers may point to: vectors and arrays. One instance for each element type.
///
/// The end address of a block is no object, unless another block or an object of the graph begins there. Therefore blocks without elements
/// are known too. So are the ends of arrays inside objects, whose elements have no numbers.
class ElementRanges {
public:
    /// An element of a vector. vector: its number, from 1 in the order of first appearance.
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
        bool isEndWritten = false;             ///< a pointer to the end has been written
        std::uintptr_t memoryEnd = 0;          ///< the end of the memory that a vector has allocated; 0: of another block

        std::size_t count() const noexcept { return (end - begin) / elementBytes; }
    };
    /// The blocks' information about an address.
    struct Behind {
        enum class Kind {
            Element,       ///< inside `range`; offset: bytes from the beginning of the range
            Elsewhere,     ///< not in a block and not at the end of one
            End,           ///< at the end of `range` or less than one element behind it; offset: bytes from the end
            Nothing,       ///< in the memory of a vector that has no elements
            EmptyArray,    ///< at the pointer of an array without elements; offset: bytes from the pointer
            UnknownEnd,    ///< at the end of elements without numbers
            Spare,         ///< in or at the end of the memory that a vector has allocated for further elements
        };
        Kind kind = Kind::Elsewhere;
        Range* range = nullptr;
        std::size_t offset = 0;
    };

    ElementRanges() noexcept;
    ElementRanges(const ElementRanges&) = delete;
    ElementRanges& operator=(const ElementRanges&) = delete;
    ~ElementRanges();

    bool isEmpty() const noexcept { return blocks_ == nullptr; }

    /// Adds elements that lie side by side. Errors: UsageError if they overlap other elements, or if a pointer to their beginning was
    /// already written as the end of other elements.
    void add(const Range& range);
    /// Adds a block without elements. The same block may be added again. bytes: the number of addresses that pointers to its end may have.
    /// roomBytes: the memory of a vector.
    void addEmpty(const void* first, std::size_t bytes, BlockMemory memory, std::size_t roomBytes);
    /// Adds elements without numbers.
    void addUnnumbered(const void* first, std::size_t bytes);
    /// Adds objects of a class hierarchy without numbers. A pointer to the end may have the address of a base class behind the end.
    void addUnnumbered(const Range& range);
    /// Notes that an object lies at this address. If elements without numbers end there, the address is no end any more.
    void noteMember(const void* address);

    /// The element that begins `offset` bytes after the beginning of a range. Errors: UsageError if the offset is inside an element.
    static Element elementAt(const Range& range, std::size_t offset);

    /// Returns the blocks' information about an address. Reads no memory at the address.
    Behind findBehind(const void* address);
    /// Whether the address is at the end of unnumbered objects of a class hierarchy, or less than one object behind it: UnknownEnd, with
    /// range and offset. Otherwise Elsewhere. Reads no memory at the address.
    Behind findBehindUnnumbered(const void* address);

private:
    struct Blocks;

    Blocks& blocks();

    SoleOwner<Blocks> blocks_;    // null: no block has been added
};

}    // namespace ferry::detail
