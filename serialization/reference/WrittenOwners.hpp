#pragma once

#include <cstdint>
#include <typeinfo>
#include <vector>

#include <ferry/serialization/reference/OwnerForest.hpp>

namespace ferry::detail {

/// The owners of the objects of a graph that is being written. Ownership that no reader could restore is refused before it is sent or
/// saved.
///
/// Errors: UsageError for two owners of one object, cycles of unique_ptr, and owners of an element of a vector (number 0).
class WrittenOwners {
public:
    /// Notes that a unique_ptr to the object was written inside the object `owner`.
    void addUnique(std::uint32_t number, std::uint32_t owner, const std::type_info& type);
    /// Notes that a shared_ptr or weak_ptr to the object was written.
    void addShared(std::uint32_t number, const std::type_info& type);

private:
    enum class Owner : std::uint8_t { None, Unique, Shared };

    Owner& ownerOf(std::uint32_t number, const std::type_info& type);

    std::vector<Owner> owners_;    // index: the number; only as long as needed
    OwnerForest uniqueOwners_;
};

}    // namespace ferry::detail
