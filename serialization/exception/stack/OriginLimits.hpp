#pragma once

#include <cstddef>

/// Limits of an Origin. A writer cuts larger data. A reader refuses it.
namespace ferry::originLimits {

inline constexpr std::size_t frames = 128;    ///< frames of a stack, including inlined functions
inline constexpr std::size_t contextEntries = 32;
inline constexpr std::size_t textBytes = 1024;    ///< bytes of one text of a frame or context

}    // namespace ferry::originLimits
