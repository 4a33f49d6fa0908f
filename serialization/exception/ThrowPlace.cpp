#include <ferry/serialization/exception/ThrowPlace.hpp>

#include <utility>

namespace ferry::detail {

namespace {

thread_local ThrowPlace announcedPlace;

}    // namespace

void announceThrow(ThrowPlace place) noexcept { announcedPlace = place; }

ThrowPlace takeAnnouncedThrow() noexcept { return std::exchange(announcedPlace, ThrowPlace()); }

}    // namespace ferry::detail
