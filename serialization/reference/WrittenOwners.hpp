#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <typeinfo>
#include <vector>

#include <ferry/serialization/reference/OwnerForest.hpp>

namespace ferry::detail {

/// The field of a class in which an owning raw pointer stands (ferry::owned).
struct OwnerField {
    const std::type_info* holder = nullptr;    ///< the class
    const char* fieldNames = nullptr;          ///< all fields of the class, as FERRY_FIELDS gives them
    std::size_t index = 0;
};

/// The owners of the objects of a graph that is being written. Ownership that no reader could restore is refused before it is sent or
/// saved.
///
/// Errors: UsageError for two owners of one object, cycles of owners, and owners of an element of a vector (number 0).
class WrittenOwners {
public:
    /// Notes that a unique_ptr to the object was written inside the object `owner`.
    void addUnique(std::uint32_t number, std::uint32_t owner, const std::type_info& type);
    /// Like addUnique, for an owning raw pointer to an object or array. field: null if the class writes itself; otherwise kept.
    void addOwned(std::uint32_t number, std::uint32_t owner, const std::type_info& type, const OwnerField* field);
    /// Notes that a shared_ptr or weak_ptr to the object was written.
    void addShared(std::uint32_t number, const std::type_info& type);

private:
    enum class Owner : std::uint8_t { None, Unique, Raw, Shared };

    Owner& ownerOf(std::uint32_t number, const std::type_info& type, const char* newOwner);
    /// The owner of an object, in words.
    std::string ownerText(std::uint32_t number) const;
    [[noreturn]] void failSecondOwner(std::uint32_t number, const std::type_info& type, const std::string& newOwner) const;

    std::vector<Owner> owners_;    // index: the number; only as long as needed
    OwnerForest uniqueOwners_;
    std::vector<const OwnerField*> fields_;    // of raw owners; index: the number; only as long as needed
};

}    // namespace ferry::detail
