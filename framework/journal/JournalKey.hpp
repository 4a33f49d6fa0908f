#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <ferry/serialization/ints/ClassId.hpp>

namespace ferry::detail {

/// The key by which a later run recognizes a task: its class, its written content, and the number of equal tasks before it.
struct JournalKey {
    ClassId kind = 0;
    std::uint64_t content = 0;       ///< checksum of the ints of the task
    std::uint64_t occurrence = 0;    ///< number of equal tasks before this one

    friend bool operator==(const JournalKey&, const JournalKey&) = default;
};

struct JournalKeyHash {
    std::size_t operator()(const JournalKey& key) const noexcept {
        constexpr std::uint64_t spread = 0x9e3779b97f4a7c15;    // sends neighbouring numbers to distant places
        return static_cast<std::size_t>(key.content ^ (static_cast<std::uint32_t>(key.kind) + key.occurrence * spread));
    }
};

}    // namespace ferry::detail
