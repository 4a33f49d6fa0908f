#include <ferry/connector/region/lossAround.hpp>

#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/state/Regions.hpp>

namespace ferry::detail {

std::optional<Loss> lossAround(const Mailbox& mailbox) {
    for (Mailbox* outer = mailbox.nest().around(); outer != nullptr; outer = outer->nest().around()) {
        if (outer->regions().innermost() == 0) continue;
        if (std::optional<Loss> loss = outer->departures().firstLoss()) return loss;
    }
    return std::nullopt;
}

bool isAnyAroundLost(const Mailbox& mailbox) noexcept {
    for (Mailbox* outer = mailbox.nest().around(); outer != nullptr; outer = outer->nest().around()) {
        if (outer->regions().innermost() != 0 && outer->departures().isAnyLost()) return true;
    }
    return false;
}

}    // namespace ferry::detail
