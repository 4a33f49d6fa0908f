#pragma once

#include <exception>

#include <ferry/connector/exception/Thrown.hpp>

namespace ferry::detail {

/// Whether the known exception is this failure or a list that holds it. All ranks leave a guarded region with the same exception. A rank
/// that threw the failure may have been stopped before it got the list.
bool tells(const std::exception_ptr& known, const Thrown& failure);

}    // namespace ferry::detail
