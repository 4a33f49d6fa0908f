#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/shape/Tree.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/serialization/ints/rangeConcepts.hpp>

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

/// A range of pairs: a rank, and the value for it. It is walked once, and need not be walked when it is const.
template <class Range>
concept PairsByRank = std::ranges::input_range<Range> && requires(const std::ranges::range_value_t<Range>& pair) {
    requires std::integral<std::remove_cvref_t<decltype(pair.first)>>;
    pair.second;
};

template <PairsByRank Range>
using ValueByRank = std::remove_cvref_t<decltype(std::declval<std::ranges::range_value_t<Range>&>().second)>;

/// Whether a rank is at most once in the range, as in a std::map.
template <class Range>
concept UniqueByRank = PairsByRank<Range> &&
    requires(std::remove_cvref_t<Range>& range, typename std::remove_cvref_t<Range>::value_type pair) {
    { range.insert(std::move(pair)).second } -> std::convertible_to<bool>;
};

/// The result of an exchange: by sender when each sender sends one value at most, else in the order of senders.
template <class Range>
using SparseResult =
    std::conditional_t<UniqueByRank<Range>, std::map<int, ValueByRank<Range>>, std::vector<std::pair<int, ValueByRank<Range>>>>;

/// The rank as an int; a number that is none becomes a rank that does not exist.
template <std::integral Rank>
int rankOf(Rank rank) noexcept {
    if constexpr (std::is_same_v<Rank, bool> || std::is_same_v<Rank, char>) {
        return static_cast<int>(rank);
    } else {
        return std::in_range<int>(rank) ? static_cast<int>(rank) : std::numeric_limits<int>::max();
    }
}

template <PairsByRank Range>
SparseResult<Range> sparseAllToAll(Collectives& collectives, Range&& outgoing) {
    using T = ValueByRank<Range>;
    return collectives.perform(Operation::SparseAllToAll, 0, namedValueKey<T>(), [&](const Envelope& envelope) {
        Mailbox& mailbox = collectives.mailbox();
        SparseExchange exchange(mailbox, envelope);
        std::exception_ptr failure;    // the first failure
        for (const auto& [rank, value] : outgoing) {
            const int to = rankOf(rank);
            std::exception_ptr refusal = exchange.reasonAgainst(to);
            if (!refusal) exchange.post(to, Outcome<T>::pack(mailbox, exchange.envelope(), value, refusal));
            if (!failure) failure = refusal;
        }
        SparseResult<Range> incoming;
        for (Letter& letter : exchange.finish()) {
            const int from = letter.from;
            auto outcome = Outcome<T>::read(letter, mailbox.factory());
            mailbox.giveBack(std::move(letter));
            try {
                if constexpr (UniqueByRank<Range>) {
                    incoming.emplace(from, outcome.take());
                } else {
                    incoming.emplace_back(from, outcome.take());
                }
            } catch (...) {
                if (!failure) failure = std::current_exception();
            }
        }
        if (failure) std::rethrow_exception(failure);
        return incoming;
    });
}

}    // namespace ferry::detail
