#pragma once

#include <cstddef>

namespace ferry::detail {

/// The bytes that travel over a connection of a watch after the hello. Each sign is one byte. Frozen: docs/wire-format.md.
enum class WatchSign : unsigned char {
    Alive = 'a',      ///< from a slave: the slave lives
    Exit = 'e',       ///< from a slave: a thread that is no rank's has called exit(); the next byte is the status
    Goodbye = 'g',    ///< the sender's job has ended in order, so its end is no loss
    GivenUp = 'l',    ///< to a slave: the others count it as lost, and it should end
};

}    // namespace ferry::detail
