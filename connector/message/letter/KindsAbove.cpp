#include <ferry/connector/message/letter/KindsAbove.hpp>

#include <array>
#include <cstddef>

namespace ferry::detail {

namespace {

constinit std::array<const char*, 32> namesOfKindsAbove{};

}    // namespace

constinit std::atomic<std::uint32_t> KindsAbove::forCalls_{0};
constinit std::atomic<std::uint32_t> KindsAbove::forHandler_{0};

bool KindsAbove::add(std::span<const Kind> kinds) noexcept {
    static_assert(namesOfKindsAbove.size() == kindLimit);
    for (const Kind& each : kinds) {
        const auto number = static_cast<std::uint32_t>(each.kind);
        (each.use == Use::Calls ? forCalls_ : forHandler_).fetch_or(1U << number, std::memory_order_relaxed);
        namesOfKindsAbove[number] = each.name;
    }
    return true;
}

const char* KindsAbove::nameOf(MessageKind kind) noexcept {
    const auto number = static_cast<std::uint32_t>(kind);
    return number < kindLimit ? namesOfKindsAbove[static_cast<std::size_t>(number)] : nullptr;
}

}    // namespace ferry::detail
