#pragma once

#include <cstdint>

namespace ferry::detail {

/// The number of a SharedNotice letter that drops the object of its key. Any other number is the version that counts for the tasks after
/// the notice. Frozen: docs/wire-format.md.
constexpr std::int32_t droppedVersion = 0;

/// The route of a shared object to the slaves: the first int of its letter. Frozen: docs/wire-format.md.
enum class SharedRoute : std::int32_t {
    Direct = 0,      ///< sent by the master
    PassedOn = 1,    ///< through the binomial tree over all ranks, with the master as root: the receiver sends the letter to its children
};

}    // namespace ferry::detail
