#pragma once

#include <cstdint>
#include <vector>

#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/connector/message/state/Wait.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace ferry::detail {

/// The report of a rank on a wait in which nothing has happened for some time. Its form on the wire: docs/wire-format.md.
struct StillnessReport {
    std::int32_t stillness = 0;    ///< the number of this stillness on its rank
    Waiter waiter = Waiter::Call;
    Awaited awaited;
    std::vector<std::uint64_t> sent;     ///< letters to each rank
    std::vector<std::uint64_t> taken;    ///< letters from each rank
    std::vector<bool> isThrough;         ///< whether the rank has left, and all its letters were taken
    FERRY_FIELDS_DECLARED(stillness, waiter, awaited, sent, taken, isThrough)

    /// Whether nothing has happened on the rank between this report and the other.
    bool isSameStillness(const StillnessReport& other) const {
        return stillness == other.stillness && sent == other.sent && taken == other.taken;
    }
};

}    // namespace ferry::detail
