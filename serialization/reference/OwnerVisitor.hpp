#pragma once

#include <ferry/serialization/reference/PointeeType.hpp>

namespace ferry::detail {

/// Visits the owning pointers of objects instead of writing them.
class OwnerVisitor {
public:
    /// A pointer inside an object. The function changes it through its address.
    struct Owner {
        void* pointer = nullptr;
        void (*release)(void* pointer) noexcept = nullptr;    ///< unique_ptr: leaves its object to the visitor; shared_ptr: drops its share
    };

    virtual void visitUnique(void* object, const PointeeType& type, const Owner& owner) = 0;
    /// identity: the address of the whole object.
    virtual void visitShared(const void* identity, const Owner& owner) = 0;

protected:
    ~OwnerVisitor() = default;
};

}    // namespace ferry::detail
