#pragma once

#include <cstddef>
#include <deque>

#include <ferry/connector/message/Envelope.hpp>

namespace ferry {

/// Whether both are of one collective.
inline bool isOfOneCollective(const Envelope& left, const Envelope& right) noexcept {
    return left.number == right.number && left.region == right.region;
}

/// The collectives that a rank has given up: their steps are of no use to it when they come.
class GivenUpCollectives {
public:
    void add(const Envelope& envelope);
    bool has(const Envelope& step) const noexcept;

private:
    static constexpr std::size_t Remembered = 1024;

    std::deque<Envelope> envelopes_;    ///< the latest last
};

}    // namespace ferry
