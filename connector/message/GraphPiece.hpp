#pragma once

#include <cstdint>
#include <span>

#include <ferry/connector/message/Envelope.hpp>

namespace ferry {

/// Where a piece of a graph belongs: the first int of its letter. Counted from 1, negative for the last; 0 says that the sender gave up.
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

}    // namespace ferry
