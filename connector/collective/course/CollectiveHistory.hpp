#pragma once

#include <cstdint>
#include <string>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace ferry::detail {

/// The collectives that a rank has entered since some moment, in order, summed up in three numbers. Ranks that have entered the same
/// collectives have equal histories. Other ranks have different histories, but for one case in some thousand millions.
struct CollectiveHistory {
    std::uint32_t count = 0;
    std::uint32_t digest = 0;
    std::int32_t lastKey = 0;    ///< key of the last collective's steps; 0: no collective
    FERRY_FIELDS_DECLARED(count, digest, lastKey)

    void enter(std::int32_t key) noexcept;
    /// Appends the history of the time after this one.
    void append(const CollectiveHistory& later) noexcept;

    friend bool operator==(const CollectiveHistory&, const CollectiveHistory&) = default;
};

/// Describes the history in words, such as "3 collectives in the guarded region (the last one: barrier)".
std::string describeHistory(const CollectiveHistory& history);

}    // namespace ferry::detail
