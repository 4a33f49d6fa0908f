#include <ferry/connector/collective/SparseExchange.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry::detail {

SparseExchange::SparseExchange(Mailbox& mailbox, const Envelope& envelope)
    : mailbox_(mailbox),
      envelope_(envelope),
      place_(placeInTree(mailbox_.transport().rank(), mailbox_.transport().size(), 0)) {
    for (const int child : place_.children) awaited_.push_back({child, Step::Ready});
}

std::exception_ptr SparseExchange::reasonAgainst(int to) const {
    const int size = mailbox_.transport().size();
    if (to >= 0 && to < size) return nullptr;
    return std::make_exception_ptr(
        UsageError(fmt::format("sparseAllToAll sends to rank {}, which does not exist: there are {}", to, size)));
}

void SparseExchange::post(int to, IntBuffer outcome) {
    mailbox_.postInts(to, Channel::Data, std::move(outcome));
    awaited_.push_back({to, Step::Taken});
}

std::vector<Letter> SparseExchange::finish() {
    std::vector<Letter> outcomes;
    bool isReady = false;
    bool isOver = false;
    while (!isOver) {
        if (awaited_.empty() && !isReady) {
            isReady = true;
            isOver = place_.parent == -1;
            if (isOver) break;
            send(place_.parent, Step::Ready);
            awaited_.push_back({place_.parent, Step::Over});
        }
        Letter letter = next();
        const Step step = stepOf(letter);
        if (step == Step::Value || step == Step::Failure) {
            send(letter.from, Step::Taken);
            outcomes.push_back(std::move(letter));
            continue;
        }
        strikeOut({letter.from, step});
        mailbox_.giveBack(std::move(letter));
        isOver = step == Step::Over;
    }
    for (const int child : place_.children) send(child, Step::Over);
    std::stable_sort(outcomes.begin(), outcomes.end(), [](const Letter& one, const Letter& other) { return one.from < other.from; });
    return outcomes;
}

void SparseExchange::send(int to, Step step) {
    mailbox_.post(to, Channel::Data, envelope_, [step](IntWriter& out) { out << step; });
}

Letter SparseExchange::next() {
    const Filter filter = Filter({MessageKind::Collective, MessageKind::GivenUp}).withKey(envelope_.key).withNumber(envelope_.number);
    std::optional<Letter> letter;
    mailbox_.waitUntil(
        [&] {
            letter = mailbox_.arrived().take(filter);
            if (!letter) throwIfGone();
            return letter.has_value();
        },
        [this] { return describe(); }, Waiter::Call);
    if (letter->envelope.kind == MessageKind::GivenUp) throwGivenUp(*letter, mailbox_.factory());
    return std::move(*letter);
}

Awaited SparseExchange::describe() const {
    Awaited awaited;
    for (const AwaitedStep& step : awaited_) awaited.ranks.push_back(step.from);
    awaited.what = Collectives::describePartOf(awaited.ranks, envelope_);
    return awaited;
}

SparseExchange::Step SparseExchange::stepOf(const Letter& letter) const {
    IntReader in(letter.body(), mailbox_.factory());
    const auto step = in.readInt();
    if (step < static_cast<std::int32_t>(Step::Value) || step > static_cast<std::int32_t>(Step::Over))
        throw SerializationError(fmt::format("a sparse exchange has no step {} (from rank {})", step, letter.from));
    return static_cast<Step>(step);
}

void SparseExchange::strikeOut(const AwaitedStep& step) {
    const auto awaited = std::find(awaited_.begin(), awaited_.end(), step);
    if (awaited == awaited_.end()) {
        throw SerializationError(fmt::format("step {} of a sparse exchange came from rank {}, which nobody waits for",
                                             static_cast<std::int32_t>(step.step), step.from));
    }
    awaited_.erase(awaited);
}

void SparseExchange::throwIfGone() const {
    mailbox_.departures().throwIfAnyLost();
    for (const AwaitedStep& step : awaited_) {
        if (mailbox_.departures().hasLeft(step.from)) throw RankHasLeft(step.from);
    }
}

}    // namespace ferry::detail
