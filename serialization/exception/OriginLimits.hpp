#pragma once

#include <cstddef>

/// What an Origin holds at most. A writer cuts what is more, a reader refuses it.
namespace ferry::originLimits {

inline constexpr std::size_t frames = 128;    ///< of the stack, inlined functions counted
inline constexpr std::size_t contextEntries = 32;
inline constexpr std::size_t textBytes = 1024;    ///< of one text of a frame or a context

}    // namespace ferry::originLimits
