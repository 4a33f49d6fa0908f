#pragma once

#include <cstdint>
#include <typeinfo>
#include <vector>

#include <ferry/serialization/reference/OwnerForest.hpp>

namespace ferry::detail {

/// The owners of the objects of a graph that is being written. Ownership that no reader could give back is refused before it is sent or
/// saved.
///
/// Errors: UsageError for two owners of one object, circles of unique_ptr, and owners of an element of a vector (number 0).
class WrittenOwners {
public:
    /// A unique_ptr to the object was written inside the object `owner`.
    void addUnique(std::uint32_t number, std::uint32_t owner, const std::type_info& type);
    /// A shared_ptr or weak_ptr.
    void addShared(std::uint32_t number, const std::type_info& type);

private:
    enum class Owner : std::uint8_t { None, Unique, Shared };

    Owner& ownerOf(std::uint32_t number, const std::type_info& type);

    std::vector<Owner> owners_;    // by number, as far as needed
    OwnerForest uniqueOwners_;
};

}    // namespace ferry::detail
