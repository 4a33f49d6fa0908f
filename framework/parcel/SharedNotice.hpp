#pragma once

#include <cstdint>

namespace ferry {

/// The number of a letter of kind SharedNotice that says that no object of the key is shared any more. Any other is the version that counts
/// for the tasks behind it. Frozen: docs/wire-format.md.
constexpr std::int32_t droppedVersion = 0;

/// How an object that is shared comes to the slaves: the first int of its letter. Frozen: docs/wire-format.md.
enum class SharedRoute : std::int32_t {
    Direct = 0,      ///< from the master
    PassedOn = 1,    ///< through the binomial tree over all ranks whose root is the master: the receiver sends it on to its children
};

}    // namespace ferry
