#include <ferry/serialization/exception/Context.hpp>

#include <algorithm>

#include <ferry/serialization/exception/stack/OriginLimits.hpp>

namespace ferry {

namespace {

thread_local const detail::ContextLink* innermostLink = nullptr;

detail::ContextEntry shortened(detail::ContextEntry entry) {
    entry.key.resize(std::min(entry.key.size(), originLimits::textBytes));
    entry.value.resize(std::min(entry.value.size(), originLimits::textBytes));
    return entry;
}

/// The user's own formatting may throw. The exception that is already being thrown must not be lost for this reason.
detail::ContextEntry entryOf(const detail::ContextLink& link) {
    try {
        return shortened(link.entry());
    } catch (...) {
        return {"?", "a value that cannot be shown"};
    }
}

}    // namespace

detail::ContextLink::ContextLink(const char* key, const void* value, TextOf textOf) noexcept
    : key_(key),
      value_(value),
      textOf_(textOf),
      outer_(innermostLink) {
    innermostLink = this;
}

detail::ContextLink::~ContextLink() { innermostLink = outer_; }

namespace detail {

std::vector<ContextEntry> activeContext() {
    std::vector<ContextEntry> entries;
    for (const auto* link = innermostLink; link != nullptr && entries.size() < originLimits::contextEntries; link = link->outer())
        entries.push_back(entryOf(*link));
    std::reverse(entries.begin(), entries.end());
    return entries;
}

}    // namespace detail

}    // namespace ferry
