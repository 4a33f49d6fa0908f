#pragma once

#include <chrono>
#include <memory>

#include <ferry/connector/message/Deadline.hpp>
#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/message/LetterQueue.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

/// The part of a Connector on which its calls stand: who this rank is, what moves its letters, and how long its calls wait.
///
/// Ownership: owns its transport. Threads: one thread of its rank at a time (OneThread). The destructor does not communicate.
class Endpoint {
public:
    Endpoint(const Endpoint&) = delete;
    Endpoint& operator=(const Endpoint&) = delete;

    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }
    bool isMaster() const noexcept { return rank() == 0; }

    /// For long computations: moves messages under way on, and throws what another rank has thrown on this one.
    void poll() { mailbox_.poll(); }

    /// Waits until everything sent has left this rank.
    void flush(Deadline deadline = Deadline::never()) {
        const DeadlineScope scope(mailbox_, deadline);
        mailbox_.flush();
    }

    /// While what it returns lives, no call waits beyond the deadline: const auto limit = connector.limitWaits(Deadline::in(10s)).
    DeadlineScope limitWaits(Deadline deadline) { return DeadlineScope(mailbox_, deadline); }

    /// When nothing has happened for so long in a call that waits without a deadline, ranks find out whether any of them can go on; if not,
    /// such calls throw a Deadlock that says who waits for whom. A second at first (in a simulation, which finds deadlocks itself, never);
    /// microseconds::max(): never.
    void findDeadlocksAfter(std::chrono::microseconds quietTime);

    /// The time by which calls wait: simulated in a simulation.
    Deadline::Clock::time_point now() const noexcept { return transport_->now(); }

    /// For the framework: on rank 0, whose transport has more ranks now.
    void admitJoined();
    /// For the framework: on a rank that has joined while the job runs. Its calls with other ranks than 0 are refused.
    void noteJoined();
    /// One level down: for the framework.
    Mailbox& mailbox() noexcept { return mailbox_; }
    const ObjectFactory& factory() const noexcept { return factory_; }

protected:
    Endpoint(std::unique_ptr<Transport> transport, const ObjectFactory& factory);
    Endpoint(std::unique_ptr<GroupTransport> transport, const ObjectFactory& factory);
    ~Endpoint();

    template <class T>
    void readBody(const Letter& letter, T& value) const {
        IntReader in(letter.body(), factory_);
        in.setAbsent(letter.offered.get());
        in >> value;
        in.expectEnd();
        if (letter.offered && !letter.offered->areAllFetched() && !in.hasSkipped()) [[unlikely]] {
            in.fail("a value that has the arrays with which it was sent", "one that does without them");
        }
    }

    /// Errors: UsageError for a rank that does not exist, or is not reached.
    void checkRank(int rank) const {
        if (rank < 0 || rank >= size_ || hasJoined_) requireReached(rank);
    }

    std::unique_ptr<Transport> transport_;
    const ObjectFactory& factory_;
    Mailbox mailbox_;

private:
    void requireReached(int rank) const;

    const int rank_ = transport_->rank();
    int size_ = transport_->size();
    bool hasJoined_ = false;    ///< while the job runs
};

}    // namespace ferry
