#include <ferry/device/runtime/Poison.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define FERRY_CAN_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FERRY_CAN_POISON 1
#endif
#endif

#ifdef FERRY_CAN_POISON
#include <sanitizer/asan_interface.h>
#endif

namespace ferry::detail {

#ifdef FERRY_CAN_POISON
bool canPoison() noexcept { return true; }
void poison(const void* memory, std::size_t bytes) noexcept { __asan_poison_memory_region(memory, bytes); }
void unpoison(const void* memory, std::size_t bytes) noexcept { __asan_unpoison_memory_region(memory, bytes); }
std::size_t redZoneBytes() noexcept { return 32; }
#else
bool canPoison() noexcept { return false; }
void poison(const void*, std::size_t) noexcept {}
void unpoison(const void*, std::size_t) noexcept {}
std::size_t redZoneBytes() noexcept { return 0; }
#endif

}    // namespace ferry::detail
