#include <ferry/serialization/reference/BlockElements.hpp>

#include <ferry/serialization/ints/ClassInfo.hpp>

namespace ferry::detail {

namespace {

constinit std::atomic<const ElementClass*> lastElementClass{nullptr};

}    // namespace

constinit std::atomic<std::uint32_t> elementClassCount{0};

bool addElementClass(ElementClass& added) noexcept {
    added.next = lastElementClass.load(std::memory_order_relaxed);
    while (!lastElementClass.compare_exchange_weak(added.next, &added, std::memory_order_release, std::memory_order_relaxed)) {}
    elementClassCount.fetch_add(1, std::memory_order_release);
    return true;
}

bool isBaseOfElements(const std::type_info& base) noexcept {
    for (const ElementClass* each = lastElementClass.load(std::memory_order_acquire); each != nullptr; each = each->next) {
        if (hasPublicBase(*each->type, base)) return true;
    }
    return false;
}

}    // namespace ferry::detail
