#pragma once

#include <memory>

#include <ferry/connector.hpp>

namespace verbs {

/// Returns the sum of the values of all ranks that are left. Where ranks are lost, c becomes a connector of the others, and they sum again.
/// Errors: ferry::LostRank where ranks are lost while the ranks that are left find each other.
inline int survivingSum(std::shared_ptr<ferry::Connector>& c, int value) {
    try {
        return c->allReduce(value, ferry::Sum{});
    } catch (const ferry::LostRank&) {
        c = c->shrink();
        return survivingSum(c, value);
    }
}

}    // namespace verbs
