#pragma once

#include <exception>
#include <vector>

#include <ferry/serialization/exception/Context.hpp>
#include <ferry/serialization/exception/LastThrow.hpp>

namespace ferry::pmpi {

/// Makes an exception of this process again that the program has caught, with its class where it is known, its place and its stack.
/// remarks: further lines for its report.
std::exception_ptr rebuilt(const detail::LastThrow& thrown, const std::vector<detail::ContextEntry>& remarks);

}    // namespace ferry::pmpi
