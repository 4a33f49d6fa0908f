#pragma once

#include <cstddef>

namespace ferry {

/// What travels over a connection of a watch after the hello, a byte each. Frozen: docs/wire-format.md.
enum class WatchSign : unsigned char {
    Alive = 'a',      ///< from a slave: it lives
    Goodbye = 'g',    ///< the sender's job has ended in order: that it goes is no loss
    GivenUp = 'l',    ///< to a slave: it is lost for the others, and should end
};

}    // namespace ferry
