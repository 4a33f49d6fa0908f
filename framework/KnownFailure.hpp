#pragma once

#include <exception>

#include <ferry/connector/exception/Thrown.hpp>

namespace ferry {

/// Whether the failure is that one, or in that list: what leaves a guarded region leaves it on all ranks, and its thrower may have been
/// stopped before it had the list.
bool tells(const std::exception_ptr& known, const Thrown& failure);

}    // namespace ferry
