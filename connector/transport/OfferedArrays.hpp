#pragma once

#include <ferry/serialization/ints/AbsentArrays.hpp>

namespace ferry {

/// The large arrays of a packet, which its sender would send from where they lie to where they belong.
///
/// The sender waits in its call until it is asked for them, and no longer than a copy of them would take. So whoever asks has an answer
/// soon; then both stay at it until the last array has arrived, and nothing is ever taken back.
///
/// Ownership: that of a packet; the transport must outlive it. What was not fetched when it ends is received and dropped.
class OfferedArrays : public AbsentArrays {
public:
    virtual ~OfferedArrays() = default;

    /// Asks the sender. False: it has gone on with copies, and the packet is to be given to Transport::decline().
    virtual bool open() = 0;

    virtual bool areAllFetched() const noexcept = 0;
};

}    // namespace ferry
