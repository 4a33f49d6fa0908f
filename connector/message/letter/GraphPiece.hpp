#pragma once

#include <cstdint>
#include <span>

#include <ferry/connector/message/letter/Envelope.hpp>

namespace ferry::detail {

/// The number of a piece within its graph: the first int of the letter's body. Pieces are numbered from 1; the number of the last piece is
/// negative. 0 says that the sender has given up.
struct GraphPlace {
    std::int32_t place = 0;

    bool isFirst() const noexcept { return place == 1 || place == -1; }
    /// Whether no other piece of the graph follows.
    bool isEnd() const noexcept { return place <= 0; }
};

/// A letter without ints has the place 0.
inline GraphPlace graphPlaceOf(const Letter& letter) {
    const std::span<const std::int32_t> body = letter.bodyStart();
    return {body.empty() ? 0 : body.front()};
}

}    // namespace ferry::detail
