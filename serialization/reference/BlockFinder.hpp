#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>
#include <ferry/serialization/reference/PointeeType.hpp>
#include <ferry/serialization/reference/PointerVisitor.hpp>
#include <ferry/serialization/reference/ReferenceWriter.hpp>

namespace ferry::detail {

/// Walks through a graph to find all of its vectors and arrays. Reads no memory behind their ends.
///
/// A raw pointer is doubtful when it may lead to the end of a block. Doubtful pointers are followed only when no other pointer is left. By
/// then, the blocks are known that are reached without them.
///
/// Ownership: borrows the objects.
class BlockFinder final : private PointerVisitor {
public:
    BlockFinder();
    BlockFinder(const BlockFinder&) = delete;
    BlockFinder& operator=(const BlockFinder&) = delete;
    ~BlockFinder();

    /// Walks through the graph of this root. Errors: those of the functions that write the objects.
    void walk(const void* root, const PointeeType& type, const PointeeType* viewed);
    /// The writer that knows the blocks.
    ReferenceWriter& blocks() noexcept { return blocks_; }

private:
    struct Object {
        const void* address = nullptr;
        const PointeeType* type = nullptr;
        std::size_t count = 1;
    };
    struct Doubtful {
        const void* address = nullptr;
        const PointeeType* type = nullptr;
        Resolve* resolve = nullptr;
    };
    struct Seen;

    bool add(const void* object, const PointeeType& type, std::size_t count) override;
    void addDoubtful(const void* object, const PointeeType& type, Resolve* resolve) override;
    void visitAll();

    ReferenceWriter blocks_;
    const SoleOwner<Seen> seen_;
    std::vector<Object> waiting_;
    std::vector<Doubtful> doubtful_;    // in the order in which the pointers were met
    IntBuffer scratch_;
};

}    // namespace ferry::detail
