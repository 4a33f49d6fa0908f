#include <ferry/connector/collective/course/CollectiveHistory.hpp>

#include <fmt/format.h>

#include <ferry/connector/collective/course/Operation.hpp>

FERRY_FIELDS_DEFINED(ferry::detail::CollectiveHistory)

namespace ferry::detail {

namespace {

/// Appends a key, or the digest of a later history, to a digest (FNV-1a, with a whole number in each step).
constexpr std::uint32_t mix(std::uint32_t digest, std::uint32_t next) noexcept {
    constexpr std::uint32_t prime = 16'777'619;
    return (digest ^ next) * prime + 1;
}

}    // namespace

void CollectiveHistory::enter(std::int32_t key) noexcept {
    ++count;
    digest = mix(digest, static_cast<std::uint32_t>(key));
    lastKey = key;
}

void CollectiveHistory::append(const CollectiveHistory& later) noexcept {
    if (later.count == 0) return;
    count += later.count;
    digest = mix(digest, later.digest);
    lastKey = later.lastKey;
}

std::string describeHistory(const CollectiveHistory& history) {
    if (history.count == 0) return "no collective in the guarded region";
    return fmt::format("{} collective{} in the guarded region (the last one: {})", history.count, history.count == 1 ? "" : "s",
                       describeCall(history.lastKey));
}

}    // namespace ferry::detail
