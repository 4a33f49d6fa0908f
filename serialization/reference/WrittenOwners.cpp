#include <ferry/serialization/reference/WrittenOwners.hpp>

#include <fmt/format.h>

#include <ferry/serialization/ints/FieldNames.hpp>
#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

namespace {

std::string fieldText(const OwnerField* field) {
    if (field == nullptr) return "an owning raw pointer (ferry::owned)";
    return fmt::format("{} of {}", fieldName(field->fieldNames, field->index), typeName(*field->holder));
}

}    // namespace

void WrittenOwners::addUnique(std::uint32_t number, std::uint32_t owner, const std::type_info& type) {
    Owner& current = ownerOf(number, type, "unique_ptr, shared_ptr or weak_ptr");
    if (current != Owner::None) failSecondOwner(number, type, current == Owner::Unique ? "another" : "a unique_ptr");
    if (!uniqueOwners_.add(number, owner)) {
        failUsage(
            fmt::format("an object of {} of the graph owns itself through unique_ptr: let the way back be a raw pointer", typeName(type)));
    }
    current = Owner::Unique;
}

void WrittenOwners::addOwned(std::uint32_t number, std::uint32_t owner, const std::type_info& type, const OwnerField* field) {
    Owner& current = ownerOf(number, type, "pointer that owns (ferry::owned)");
    if (current != Owner::None) failSecondOwner(number, type, fieldText(field));
    if (!uniqueOwners_.add(number, owner)) {
        failUsage(
            fmt::format("an object of {} of the graph owns itself, at last through {}: let the way back be a raw pointer without "
                        "ferry::owned",
                        typeName(type), fieldText(field)));
    }
    if (number >= fields_.size()) fields_.resize(owners_.size(), nullptr);
    fields_[number] = field;
    current = Owner::Raw;
}

void WrittenOwners::addShared(std::uint32_t number, const std::type_info& type) {
    Owner& current = ownerOf(number, type, "unique_ptr, shared_ptr or weak_ptr");
    if (current == Owner::Unique || current == Owner::Raw) failSecondOwner(number, type, "a shared_ptr or weak_ptr");
    current = Owner::Shared;
}

WrittenOwners::Owner& WrittenOwners::ownerOf(std::uint32_t number, const std::type_info& type, const char* newOwner) {
    if (number == 0) {
        failUsage(fmt::format("a {} of the graph leads to an element of {} in a vector, which the vector owns: let it be a raw pointer",
                              newOwner, typeName(type)));
    }
    if (number >= owners_.size()) owners_.resize(std::size_t{number} + 1, Owner::None);
    return owners_[number];
}

std::string WrittenOwners::ownerText(std::uint32_t number) const {
    switch (owners_[number]) {
        case Owner::Raw: return fieldText(fields_[number]);
        case Owner::Unique: return "a unique_ptr";
        default: return "a shared_ptr or weak_ptr";
    }
}

void WrittenOwners::failSecondOwner(std::uint32_t number, const std::type_info& type, const std::string& newOwner) const {
    failUsage(fmt::format("an object of {} of the graph is owned by {} and by {} besides: let one of them be a raw pointer{}",
                          typeName(type), ownerText(number), newOwner, fields_.empty() ? "" : " without ferry::owned"));
}

}    // namespace ferry::detail
