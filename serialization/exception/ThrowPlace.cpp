#include <ferry/serialization/exception/ThrowPlace.hpp>

#include <utility>

namespace ferry::detail {

namespace {

thread_local ThrowPlace announced;

}    // namespace

void announceThrow(ThrowPlace place) noexcept { announced = place; }

ThrowPlace takeAnnouncedThrow() noexcept { return std::exchange(announced, ThrowPlace()); }

}    // namespace ferry::detail
