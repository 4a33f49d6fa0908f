#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ferry/framework/journal/JournalKey.hpp>

namespace ferry::detail {

/// The head of a record of a journal, ahead of the reply. Frozen: docs/wire-format.md.
struct JournalRecord {
    static constexpr std::size_t headInts = 8;

    JournalKey key;
    ClassId replyClass = 0;
    std::uint64_t replyInts = 0;

    std::array<std::int32_t, headInts> head() const noexcept;
    static JournalRecord of(std::span<const std::int32_t, headInts> head) noexcept;
};

}    // namespace ferry::detail
