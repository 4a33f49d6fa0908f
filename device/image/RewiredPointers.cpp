#include <ferry/device/image/RewiredPointers.hpp>

namespace ferry::detail {

void RewiredPointers::note(const void* pointer, const void* target, std::size_t count, std::uintptr_t place) {
    targets_[pointer] = {target, count, place};
}

const std::uintptr_t* RewiredPointers::placeOf(const void* pointer, const void* target, std::size_t count) const noexcept {
    const auto found = targets_.find(pointer);
    const bool isKept = found != targets_.end() && found->second.host == target && found->second.count == count;
    return isKept ? &found->second.place : nullptr;
}

}    // namespace ferry::detail
