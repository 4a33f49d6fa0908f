// In the place of ThrowHook.cpp, for FERRY_THROW_HOOK=OFF: throws are not recorded.
#include <ferry/serialization/exception/ThrowHook.hpp>

bool ferry::isThrowHookLinked() noexcept { return false; }
