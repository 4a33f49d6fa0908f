#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <ferry/serialization/ints/CompilersText.hpp>

// The wire name of a class with FERRY_CLASS: its qualified name. Equal on all compilers.

namespace ferry::detail {

/// Writes the name of a class without its unnamed namespaces, which compilers spell in different ways. Returns the number of characters.
constexpr std::size_t writeNamedScopes(std::string_view type, char* target) {
    constexpr std::array<std::string_view, 2> unnamed{"{anonymous}::", "(anonymous namespace)::"};
    std::size_t size = 0;
    while (!type.empty()) {
        const bool isSkipped = [&] {
            for (const std::string_view spelling : unnamed) {
                if (!type.starts_with(spelling)) continue;
                type.remove_prefix(spelling.size());
                return true;
            }
            return false;
        }();
        if (isSkipped) continue;
        target[size++] = type.front();
        type.remove_prefix(1);
    }
    return size;
}

/// Returns where the last part of a qualified name begins. Template arguments are part of it.
constexpr std::size_t beginOfLastPart(std::string_view name) {
    const std::size_t separator = name.substr(0, name.find('<')).rfind("::");
    return separator == name.npos ? 0 : separator + 2;
}

/// Whether a qualified name ends with another one, at the border of a part.
constexpr bool endsWithName(std::string_view name, std::string_view ending) {
    return name == ending ||
           (name.size() > ending.size() && name.ends_with(ending) && name.substr(0, name.size() - ending.size()).ends_with("::"));
}

/// Finds the wire name of a class for which FERRY_CLASS has written T::ferryGivenName(), with zeros behind it. The compiler completes the
/// given name with the scopes of the class. Compilers spell inline namespaces and template arguments in two ways: there the given name
/// counts.
template <class T>
constexpr auto findWireName() {
    constexpr std::string_view type = compilersTextOf<T>();
    constexpr std::string_view given = T::ferryGivenName();
    std::array<char, type.size() + given.size() + 1> text{};
    const std::string_view scopes(text.data(), writeNamedScopes(type, text.data()));
    const std::string_view own = given.starts_with("::") ? given.substr(2) : given;
    std::size_t begin = scopes.size();
    std::string_view added;
    if (scopes.find('<') != scopes.npos) {
        begin = beginOfLastPart(scopes);
        added = own.substr(beginOfLastPart(own));
    } else if (own.find("::") != own.npos && !endsWithName(scopes, own)) {
        begin = 0;
        added = own;
    }
    for (const char character : added) text[begin++] = character;
    while (begin < text.size()) text[begin++] = '\0';
    return text;
}

template <class T>
inline constexpr auto wireNameText = findWireName<T>();

}    // namespace ferry::detail
