#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <utility>
#include <vector>

#include <ferry/connector/collective/Collectives.hpp>
#include <ferry/connector/collective/Outcome.hpp>
#include <ferry/connector/collective/Tree.hpp>
#include <ferry/connector/message/Mailbox.hpp>

namespace ferry::detail {

/// One exchange in which no rank knows which ranks will send to it. Each value is acknowledged. A rank whose values have all been taken
/// says so up a tree. When all ranks have said so, the root says down the tree that the exchange is over. So the cost grows with the number
/// of values and with log2(size), not with the number of ranks. After NBX of Hoefler, Siebert and Lumsdaine (Scalable Communication
/// Protocols for Dynamic Sparse Data Exchange, PPoPP 2010), with acknowledgements for its synchronous sends and a tree for its barrier.
class SparseExchange {
public:
    /// All ranks call the constructor together, within Collectives::perform. The mailbox must outlive the object.
    SparseExchange(Mailbox& mailbox, const Envelope& envelope);

    const Envelope& envelope() const noexcept { return envelope_; }

    /// Returns a UsageError when rank to does not exist; else null.
    std::exception_ptr reasonAgainst(int to) const;

    /// Sends an outcome that was packed with the envelope.
    void post(int to, IntBuffer outcome);

    /// Waits until the exchange is over on all ranks. Returns the outcomes for this rank, in the order of their senders. Outcomes of one
    /// sender stay in the order of sending.
    /// Errors: RankHasLeft; SerializationError for a step that no rank sends.
    std::vector<Letter> finish();

private:
    /// The first int of a step, frozen: docs/wire-format.md.
    enum class Step : std::int32_t {
        Value = 0,      ///< an outcome that is a value
        Failure = 1,    ///< an outcome that is a failure
        Taken = 2,
        Ready = 3,    ///< everything sent in this part of the tree has been taken
        Over = 4,
    };
    struct AwaitedStep {
        int from = -1;
        Step step = Step::Taken;
        bool operator==(const AwaitedStep&) const = default;
    };

    void send(int to, Step step);
    Letter next();
    Step stepOf(const Letter& letter) const;
    void strikeOut(const AwaitedStep& step);
    void throwIfGone() const;
    Awaited describe() const;

    Mailbox& mailbox_;
    Envelope envelope_;
    TreePlace place_;
    std::vector<AwaitedStep> awaited_;    ///< steps of other ranks without which this rank cannot go on
};

template <class T>
std::map<int, T> sparseAllToAll(Collectives& collectives, const std::map<int, T>& outgoing) {
    return collectives.perform(Operation::SparseAllToAll, 0, namedValueKey<T>(), [&](const Envelope& envelope) {
        Mailbox& mailbox = collectives.mailbox();
        SparseExchange exchange(mailbox, envelope);
        std::exception_ptr failure;    // the first failure
        for (const auto& [to, value] : outgoing) {
            std::exception_ptr refusal = exchange.reasonAgainst(to);
            if (!refusal) exchange.post(to, Outcome<T>::pack(mailbox, exchange.envelope(), value, refusal));
            if (!failure) failure = refusal;
        }
        std::map<int, T> incoming;
        for (Letter& letter : exchange.finish()) {
            const int from = letter.from;
            auto outcome = Outcome<T>::read(letter, mailbox.factory());
            mailbox.giveBack(std::move(letter));
            try {
                incoming.emplace(from, outcome.take());
            } catch (...) {
                if (!failure) failure = std::current_exception();
            }
        }
        if (failure) std::rethrow_exception(failure);
        return incoming;
    });
}

}    // namespace ferry::detail
