#pragma once

#include <system_error>

#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

namespace ferry {

/// Writes an error code: the name of its category, and its value.
void writeErrorCode(IntWriter& out, const std::error_code& code);

/// Reads an error code. A category that this rank does not know comes back as one of that name, equal for equal names.
std::error_code readErrorCode(IntReader& in);

/// Makes a category of the program's own known, so that its codes come back with it. It must live as long as the process.
void addErrorCategory(const std::error_category& category);

}    // namespace ferry
