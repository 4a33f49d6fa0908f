#pragma once

#include <cstddef>
#include <string_view>

namespace ferry::detail {

/// Returns the name at this index in a list such as "seats, ferry::arrayOf(samples, count)", as FERRY_FIELDS keeps it. A comma in brackets
/// does not end a name. Returns "?" for an index past the last name.
std::string_view fieldName(std::string_view names, std::size_t index) noexcept;

}    // namespace ferry::detail
