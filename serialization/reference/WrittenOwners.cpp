#include <ferry/serialization/reference/WrittenOwners.hpp>

#include <cstddef>

#include <fmt/format.h>

#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

void WrittenOwners::addUnique(std::uint32_t number, std::uint32_t owner, const std::type_info& type) {
    Owner& current = ownerOf(number, type);
    if (current != Owner::None) {
        failUsage(fmt::format("an object of {} of the graph is owned by a unique_ptr and by {} besides: let one of them be a "
                                   "raw pointer",
                                   typeName(type), current == Owner::Unique ? "another" : "a shared_ptr or weak_ptr"));
    }
    if (!uniqueOwners_.add(number, owner)) {
        failUsage(
            fmt::format("an object of {} of the graph owns itself through unique_ptr: let the way back be a raw pointer", typeName(type)));
    }
    current = Owner::Unique;
}

void WrittenOwners::addShared(std::uint32_t number, const std::type_info& type) {
    Owner& current = ownerOf(number, type);
    if (current == Owner::Unique) {
        failUsage(fmt::format("an object of {} of the graph is owned by a unique_ptr and by a shared_ptr or weak_ptr besides: "
                                   "let one of them be a raw pointer",
                                   typeName(type)));
    }
    current = Owner::Shared;
}

WrittenOwners::Owner& WrittenOwners::ownerOf(std::uint32_t number, const std::type_info& type) {
    if (number == 0) {
        failUsage(fmt::format(
            "a unique_ptr, shared_ptr or weak_ptr of the graph leads to an element of {} in a vector, which the vector owns: let it be a "
            "raw pointer",
            typeName(type)));
    }
    if (number >= owners_.size()) owners_.resize(std::size_t{number} + 1, Owner::None);
    return owners_[number];
}

}    // namespace ferry::detail
