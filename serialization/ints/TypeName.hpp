#pragma once

#include <string>
#include <typeinfo>

namespace ferry {

/// The name of a C++ type as a person writes it, such as "std::vector<int>".
std::string typeName(const std::type_info& type);

}    // namespace ferry
