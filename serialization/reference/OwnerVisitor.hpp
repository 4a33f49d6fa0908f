#pragma once

#include <cstddef>

#include <ferry/serialization/reference/PointeeType.hpp>

namespace ferry::detail {

/// Visits the owning pointers of objects instead of writing them.
class OwnerVisitor {
public:
    /// A pointer inside an object. The function changes it through its address.
    struct Owner {
        void* pointer = nullptr;
        /// A pointer with one owner leaves its object to the visitor. A shared_ptr drops its share.
        void (*release)(void* pointer) noexcept = nullptr;
        /// False: a class writes itself, and may have written a copy of its raw pointer.
        bool isMember = true;
    };

    virtual void visitUnique(void* object, const PointeeType& type, const Owner& owner) = 0;
    /// Visits an array that one pointer owns. owner: valid during the call.
    virtual void visitArray(void* first, std::size_t count, const PointeeType& type, const Owner& owner) = 0;
    /// identity: the address of the whole object.
    virtual void visitShared(const void* identity, const Owner& owner) = 0;

protected:
    ~OwnerVisitor() = default;
};

}    // namespace ferry::detail
