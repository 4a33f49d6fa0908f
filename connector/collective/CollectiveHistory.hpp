#pragma once

#include <cstdint>
#include <string>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace ferry {

/// The collectives that a rank has entered since some moment, in order, as three numbers. Ranks that have entered the same ones have equal
/// histories; others have not, but for one case in some thousand millions.
struct CollectiveHistory {
    std::uint32_t count = 0;
    std::uint32_t digest = 0;
    std::int32_t lastKey = 0;    ///< of the steps of the last one; 0: none
    FERRY_FIELDS(count, digest, lastKey)

    void enter(std::int32_t key) noexcept;
    /// Adds a history that came after this one.
    void append(const CollectiveHistory& later) noexcept;

    friend bool operator==(const CollectiveHistory&, const CollectiveHistory&) = default;
};

/// In words, such as "3 collectives in the guarded region (the last one: barrier)".
std::string describeHistory(const CollectiveHistory& history);

}    // namespace ferry
