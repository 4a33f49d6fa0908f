#pragma once

#include <memory>

#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>
#include <ferry/connector/message/letter/SequenceForm.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>
#include <ferry/serialization/ints/durations.hpp>

namespace ferry::detail {

class GroupTransport;
class Inside;

/// The base of a Connector's calls: the number of this rank, its transport, its mailbox, and the limits of its waits.
///
/// Ownership: owns its transport. Threads: one thread of its rank at a time (OneThread). The destructor does not communicate.
class Endpoint {
public:
    Endpoint(const Endpoint&) = delete;
    Endpoint& operator=(const Endpoint&) = delete;

    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }
    bool isMaster() const noexcept { return rank() == 0; }

    /// For long computations: moves on messages under way, and throws an exception that another rank has thrown on this one. On a master
    /// it moves the job on.
    void poll() { mailbox_.poll(); }

    /// Waits until all sent messages have left this rank.
    void flush(Deadline deadline = Deadline::never()) {
        const DeadlineScope scope(mailbox_, deadline);
        mailbox_.flush();
    }

    /// Limits waits: while the returned object lives, no call waits beyond the deadline. Use: const auto limit =
    /// connector.limitWaits(Deadline::in(10s)).
    DeadlineScope limitWaits(Deadline deadline) { return DeadlineScope(mailbox_, deadline); }

    /// Sets the time after which ranks search for deadlocks. The search begins when nothing has happened for this time in calls that wait
    /// without a deadline. If no rank can go on, such calls throw a Deadlock that names the waiting ranks and the ranks that each waits
    /// for. The default is a second. In a simulation it is never: a simulation finds deadlocks itself. microseconds::max(): never.
    /// Ranks of a team always search among themselves as well, after a second or the time that is set before the team begins. So do the
    /// ranks of a group when each of them calls this function of the group's connector. Errors: UsageError for a negative time.
    void findDeadlocksAfter(std::chrono::microseconds quietTime);

    /// The time of the clock by which calls wait. In a simulation it is simulated.
    Deadline::Clock::time_point now() const noexcept { return transport_->now(); }

    const ObjectFactory& factory() const noexcept { return factory_; }

protected:
    Endpoint(std::unique_ptr<Transport> transport, const ObjectFactory& factory);
    Endpoint(std::unique_ptr<GroupTransport> transport, const ObjectFactory& factory);
    ~Endpoint();

    template <class T>
    void readBody(const Letter& letter, T& value) const {
        IntReader in(letter.body(), factory_);
        in.setAbsent(letter.offered.get());
        detail::readForm(in, value);
        in.expectEnd();
        if (letter.offered && !letter.offered->areAllFetched() && !in.hasSkipped()) [[unlikely]] {
            in.fail("a value that takes in all arrays of the message", "a value that leaves some out");
        }
    }

    /// Checks a rank. Errors: UsageError for a rank that does not exist, or is not reached.
    void checkRank(int rank) const {
        if (rank < 0 || rank >= size_ || hasJoined_) requireReached(rank);
    }

    std::unique_ptr<Transport> transport_;
    const ObjectFactory& factory_;
    Mailbox mailbox_;

private:
    friend class detail::Inside;

    void admitJoined();
    void noteJoined();
    void requireReached(int rank) const;

    const int rank_ = transport_->rank();
    int size_ = transport_->size();
    bool hasJoined_ = false;    ///< whether this rank has joined while the job runs
};

}    // namespace ferry::detail
