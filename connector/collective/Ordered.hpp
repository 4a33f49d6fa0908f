#pragma once

#include <utility>

#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>

namespace ferry::detail {

/// Flushes the standard output of this process to the operating system.
void flushOutput();

/// Calls the function on one rank after the other. The last rank reports the end, or the exception of a rank, and all ranks are told.
template <class Function>
void ordered(Collectives& collectives, Function& function) {
    collectives.perform(Operation::Ordered, 0, Collectives::carriesNothing, [&](const Envelope& envelope) {
        Mailbox& mailbox = collectives.mailbox();
        const int rank = mailbox.transport().rank();
        const int last = mailbox.transport().size() - 1;
        Outcome<bool> turn(true);
        if (rank > 0) turn = collectives.takeOutcome<bool>(envelope, rank - 1);
        turn = Outcome<bool>::of([&] {
            turn.take();
            {
                const OneThread::Outside outside(mailbox.thread());
                function();
            }
            flushOutput();
            return true;
        });
        if (last > 0) mailbox.postInts(rank < last ? rank + 1 : 0, Channel::Data, turn.pack(mailbox, envelope));
        if (rank == 0 && last > 0) turn = collectives.takeOutcome<bool>(envelope, last);
        collectives.shareOutcome(envelope, std::move(turn)).take();
    });
}

}    // namespace ferry::detail
