#pragma once

#include <cstddef>
#include <string_view>

namespace ferry {

/// One of the names in a list such as "seats, ferry::arrayOf(samples, count)" (what FERRY_FIELDS keeps), whose names may have commas in
/// brackets; "?" past the last one.
std::string_view fieldName(std::string_view names, std::size_t index) noexcept;

}    // namespace ferry
