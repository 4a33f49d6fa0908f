#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/serialization/codec/CodecClass.hpp>
#include <ferry/serialization/exception/Context.hpp>
#include <ferry/serialization/exception/ValueText.hpp>
#include <ferry/serialization/ints/FieldNames.hpp>

// The fields of an exception as texts, for its report. The names are those of FERRY_FIELDS.

namespace ferry::detail {

/// A report has at most this number of fields of one exception.
constexpr std::size_t mostFieldTexts = 32;

/// Adds a field with the beginning of its text. Adds "..." in the place of the first field that is too many, and nothing for later ones.
void addFieldText(std::vector<ContextEntry>& entries, std::string_view name, std::string text);

/// Whether T is a class of Ferry itself. The texts of Ferry's exceptions already say what their fields hold.
template <class T>
consteval bool isOfFerry() {
    constexpr std::string_view house = "ferry::";
    if constexpr (requires { T::ferryClassName(); }) {
        constexpr std::string_view name = T::ferryClassName();
        if (!name.starts_with(house)) return false;
        // With a sanitizer, GCC does not evaluate std::string_view::find at compile time.
        for (std::size_t i = house.size(); i + 1 < name.size(); ++i) {
            if (name[i] == ':' && name[i + 1] == ':') return false;
        }
        return true;
    } else {
        return false;
    }
}

template <class T>
void addFieldTexts(std::vector<ContextEntry>& entries, const T& object);

template <class Field>
void addField([[maybe_unused]] std::vector<ContextEntry>& entries, [[maybe_unused]] std::string_view name, const Field& field) {
    if constexpr (isBasePart<Field>)
        addFieldTexts(entries, field.object);
    else if constexpr (!isFieldProxy<Field> && hasFieldText<Field>())
        addFieldText(entries, name, textOf(field));
}

template <class T>
void addFieldTexts([[maybe_unused]] std::vector<ContextEntry>& entries, [[maybe_unused]] const T& object) {
    if constexpr (FieldAccess::hasFields<T>()) {
        if constexpr (!isOfFerry<FieldAccess::Owner<T>>()) {
            FieldAccess::visit(object, [&entries](const auto&... fields) {
                std::size_t index = 0;
                (addField(entries, fieldName(FieldAccess::names<T>(), index++), fields), ...);
            });
        }
    }
}

/// The fields that FERRY_FIELDS lists, with the fields of listed base classes. Fields without a text, such as pointers, are left out.
template <class T>
std::vector<ContextEntry> fieldTextsOf(const T& object) {
    std::vector<ContextEntry> entries;
    addFieldTexts(entries, object);
    return entries;
}

}    // namespace ferry::detail
