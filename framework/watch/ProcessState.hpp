#pragma once

#include <cstdint>

#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

using platform::ProcessState;
using platform::stateOfProcess;

/// A hash of platform::hostText(). It is equal in two processes when each can see the other by its process number.
std::uint64_t hostIdentity();

}    // namespace ferry::detail
