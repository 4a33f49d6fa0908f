#pragma once

#include <exception>
#include <vector>

namespace ferry {

/// Whether throws of this program pass Ferry's hook, which records them. False if Ferry was built without the hook (FERRY_THROW_HOOK), if
/// the C++ runtime is linked statically without -Wl,--wrap=__cxa_throw, or if a sanitizer replaces the hook.
bool isThrowHookLinked() noexcept;

namespace detail {

/// The exceptions in flight on this thread, the oldest first. For use in a destructor that such an exception runs, and in the handler of
/// std::terminate(). Empty if some throws do not pass the hook. At most 8.
std::vector<std::exception_ptr> throwsUnderWay();

}    // namespace detail

}    // namespace ferry
