#pragma once

#include <cstddef>

#include <ferry/serialization/reference/OwnerVisitor.hpp>

namespace ferry::detail {

class ReferenceWriter;

/// Visits all pointers of objects, owning or not, instead of writing them.
class PointerVisitor : public OwnerVisitor {
public:
    /// Takes the target of a pointer, an object or an array. Returns false if the target was taken before.
    virtual bool add(const void* object, const PointeeType& type, std::size_t count) = 0;

    /// Returns the address of the object as PointeeType knows it, or null for a pointer that leads to no object of its own. blocks: the
    /// writer that knows the blocks that were met.
    using Resolve = const void*(ReferenceWriter& blocks, const void* object);
    /// Takes the target of a raw pointer that may lead to the end of a block. No memory there has been read.
    virtual void addDoubtful(const void* object, const PointeeType& type, Resolve* resolve) = 0;

protected:
    ~PointerVisitor() = default;

private:
    void visitUnique(void*, const PointeeType&, const Owner&) final {}
    void visitArray(void*, std::size_t, const PointeeType&, const Owner&) final {}
    void visitShared(const void*, const Owner&) final {}
};

}    // namespace ferry::detail
