#pragma once

#include <optional>

#include <ferry/connector/transport/Loss.hpp>

namespace ferry::detail {

class Mailbox;

/// The loss of a rank of a mailbox around this one, in whose region this rank is: the ranks cannot meet at the end of that region. Some of
/// them may have left it already, and then come to no end of a region inside it.
std::optional<Loss> lossAround(const Mailbox& mailbox);
/// Whether lossAround() has a value.
bool isAnyAroundLost(const Mailbox& mailbox) noexcept;

}    // namespace ferry::detail
