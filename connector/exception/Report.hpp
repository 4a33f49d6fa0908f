#pragma once

#include <exception>
#include <string>

namespace ferry {

/// The whole story of an exception as text of several lines: class, place, text, and the same for each nested cause.
std::string report(const std::exception& exception);

/// The same for whatever is held; "no exception" for a null pointer.
std::string report(const std::exception_ptr& exception);

}    // namespace ferry
