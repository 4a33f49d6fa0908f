#pragma once

#include <cstddef>

/// The limits of an Origin. A writer cuts off the excess, a reader refuses it.
namespace ferry::originLimits {

inline constexpr std::size_t frames = 128;    ///< of the stack, inlined functions counted
inline constexpr std::size_t contextEntries = 32;
inline constexpr std::size_t textBytes = 1024;    ///< of one text of a frame or a context

}    // namespace ferry::originLimits
