#pragma once

#include <exception>
#include <vector>

namespace ferry {

/// Whether throws of this program pass Ferry's hook, which records them. Not so when Ferry was built without it (FERRY_THROW_HOOK), when
/// the C++ runtime is linked statically without -Wl,--wrap=__cxa_throw, and when a sanitizer has taken the place.
bool isThrowHookLinked() noexcept;

/// The exceptions that are on their way on this thread to who catches them, the oldest first: in a destructor that one of them runs, or in
/// the handler of std::terminate(). None where some throws do not pass the hook. At most 8.
std::vector<std::exception_ptr> throwsUnderWay();

}    // namespace ferry
