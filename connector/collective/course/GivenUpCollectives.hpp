#pragma once

#include <cstddef>
#include <deque>
#include <exception>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>

namespace ferry::detail {

/// Tells all other ranks that this rank does not finish the collective, and why. The notices come behind the steps that this rank has sent.
void tellGivenUp(Mailbox& mailbox, const Envelope& collective, const std::exception_ptr& reason);

/// Tells whether both envelopes belong to one collective.
inline bool isOfOneCollective(const Envelope& left, const Envelope& right) noexcept {
    return left.number == right.number && left.region == right.region;
}

/// The collectives that a rank has given up. The rank needs none of their steps when they come.
class GivenUpCollectives {
public:
    void add(const Envelope& envelope);
    bool has(const Envelope& step) const noexcept;

private:
    static constexpr std::size_t Remembered = 1024;

    std::deque<Envelope> envelopes_;    ///< the latest collective comes last
};

}    // namespace ferry::detail
