#pragma once

#include <optional>

#include <ferry/connector/transport/Loss.hpp>

namespace ferry::detail {

/// Finds out which ranks are lost.
///
/// Threads: nextLoss() on the thread of the rank that asks.
class LossSource {
public:
    /// Returns a loss that was not told before; nothing when there is no such loss. Never waits.
    virtual std::optional<Loss> nextLoss() = 0;

protected:
    ~LossSource() = default;
};

}    // namespace ferry::detail
