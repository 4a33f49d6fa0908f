#pragma once

namespace ferry {

/// Whether throws of this program pass Ferry's hook, which records them. Not so when Ferry was built without it (FERRY_THROW_HOOK), when
/// the C++ runtime is linked statically without -Wl,--wrap=__cxa_throw, and when a sanitizer has taken the place.
bool isThrowHookLinked() noexcept;

}    // namespace ferry
