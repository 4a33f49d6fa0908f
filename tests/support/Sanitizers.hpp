#pragma once

namespace ferry::test {

/// Whether the address or the thread sanitizer is active. With them, throws and switches between threads take many times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool isSanitized = true;
#else
inline constexpr bool isSanitized = false;
#endif

}    // namespace ferry::test
