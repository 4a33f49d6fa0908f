#pragma once

#include <system_error>

#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

namespace ferry {

namespace detail {

/// Writes an error code: the name of its category, and its value.
void writeErrorCode(IntWriter& out, const std::error_code& code);

/// Reads an error code. In place of an unknown category a new one of that name comes back. Equal names give the same category.
std::error_code readErrorCode(IntReader& in);

}    // namespace detail

/// Makes a category of the program known, so that error codes keep it when they travel. The category must live as long as the process.
void addErrorCategory(const std::error_category& category);

}    // namespace ferry
