#pragma once

#include <ferry/serialization/ints/AbsentArrays.hpp>

namespace ferry::detail {

/// The large arrays of a packet that its sender offers. The arrays would go directly from where they lie to where they belong.
///
/// The sender waits in its call until the receiver asks for the arrays, but no longer than a copy of them would take. So a receiver that
/// asks has an answer soon. Then both ranks stay at it until the last array has arrived. Nothing is ever taken back.
///
/// Ownership: belongs to a packet; the transport must outlive it. Arrays that are not fetched when the object ends are received and
/// dropped.
class OfferedArrays : public AbsentArrays {
public:
    virtual ~OfferedArrays() = default;

    /// Asks the sender for the arrays. Returns false when the sender has gone on with copies. The packet must then be given to
    /// Transport::decline().
    virtual bool open() = 0;

    virtual bool areAllFetched() const noexcept = 0;
};

}    // namespace ferry::detail
