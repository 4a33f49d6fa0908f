// Replaces ThrowHook.cpp for FERRY_THROW_HOOK=OFF: throws are not recorded.
#include <ferry/serialization/exception/ThrowHook.hpp>

bool ferry::isThrowHookLinked() noexcept { return false; }

std::vector<std::exception_ptr> ferry::detail::throwsUnderWay() { return {}; }
