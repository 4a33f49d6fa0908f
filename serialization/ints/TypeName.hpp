#pragma once

#include <string>
#include <string_view>
#include <typeindex>
#include <typeinfo>

namespace ferry::detail {

/// The name of a C++ type as a person writes it, such as "std::vector<std::string>".
std::string typeName(const std::type_info& type);
std::string typeName(const std::type_index& type);

/// The name of a C++ type as the compiler spells it. For texts that must not change, such as those in files.
std::string spelledTypeName(const std::type_info& type);

/// A compiler's spelling of a type, as a person writes it: std::string has its short name, and arguments that are defaults of the standard
/// library are left out.
std::string readableTypeName(std::string_view spelled);

}    // namespace ferry::detail
