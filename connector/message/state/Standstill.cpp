#include <ferry/connector/message/state/Standstill.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry::detail {

namespace {

using namespace std::chrono_literals;

// Keys of the letters, frozen: docs/wire-format.md.
constexpr std::int32_t inquiryKey = 1;
constexpr std::int32_t answerKey = 2;
constexpr std::int32_t stillnessVerdictKey = 3;

// The time between inquiries of a rank that stands still all the time.
constexpr Standstill::Clock::duration shortestPause = 1ms;
constexpr Standstill::Clock::duration longestPause = 8s;

/// The message to every rank that all ranks are stuck.
struct StandstillVerdict {
    std::vector<StuckRank> ranks;
    bool areCallsAmongThem = false;    ///< false: all ranks are at the end of guarded regions, or at rest
    FERRY_FIELDS(ranks, areCallsAmongThem)
};

template <class T>
T readBody(const Letter& letter) {
    IntReader in(letter.body());
    T value{};
    in >> value;
    in.expectEnd();
    return value;
}

/// Reads the report of another rank. That rank may not know the last ranks, which have joined rank 0 alone: no letter goes between them.
StillnessReport readReport(const Letter& letter, std::size_t rankCount) {
    StillnessReport report = readBody<StillnessReport>(letter);
    const std::size_t known = report.sent.size();
    const bool isPossible = known > static_cast<std::size_t>(letter.from) && known <= rankCount && report.taken.size() == known &&
                            report.isThrough.size() == known;
    if (!isPossible) {
        throw SerializationError(fmt::format("expected counts of letters for up to {} ranks, found {}, {} and {}", rankCount, known,
                                             report.taken.size(), report.isThrough.size()));
    }
    report.sent.resize(rankCount, 0);
    report.taken.resize(rankCount, 0);
    report.isThrough.resize(rankCount, true);
    return report;
}

bool isStuckCall(const std::optional<StillnessReport>& report, Waiter waiter) { return report && report->waiter == waiter; }

}    // namespace

Standstill::Standstill(Surroundings& surroundings, const Transport& transport, bool isOfGroup)
    : surroundings_(surroundings),
      transport_(transport),
      isOfGroup_(isOfGroup),
      sent_(static_cast<std::size_t>(transport.size()), 0),
      taken_(static_cast<std::size_t>(transport.size()), 0),
      review_(transport.size()) {}

void Standstill::restoreSent(const std::vector<std::uint64_t>& sent) noexcept {
    std::copy(sent.begin(), sent.end(), sent_.begin());
    phase_ = Phase::Moving;
}

void Standstill::uncountTaken(int from, std::uint64_t letters) noexcept {
    taken_[static_cast<std::size_t>(from)] -= letters;
    phase_ = Phase::Moving;
}

void Standstill::admitJoined(int rankCount) {
    sent_.resize(static_cast<std::size_t>(rankCount), 0);
    taken_.resize(static_cast<std::size_t>(rankCount), 0);
    review_ = StandstillReview(rankCount);
    phase_ = Phase::Moving;    // an answer to an earlier inquiry comes too late
}

Standstill::Clock::time_point Standstill::look(Waiter waiter, const std::function<Awaited()>& describe) {
    if (!isOn()) return Clock::time_point::max();
    const Clock::time_point now = transport_.now();
    if (phase_ == Phase::Moving) {
        phase_ = Phase::Quiet;
        quietSince_ = now;
    }
    if (phase_ == Phase::Quiet) {
        if (now - quietSince_ < quietTime_) return quietSince_ + quietTime_;
        standStill(waiter, describe);
    } else if (now >= nextInquiry_) {
        review_.beginAnew();
        ask();
    }
    return nextInquiry_;
}

void Standstill::standStill(Waiter waiter, const std::function<Awaited()>& describe) {
    phase_ = Phase::Still;
    ++own_.stillness;
    own_.waiter = waiter;
    own_.awaited = describe();
    own_.sent = sent_;
    own_.taken = taken_;
    own_.isThrough.resize(sent_.size());
    for (std::size_t rank = 0; rank < sent_.size(); ++rank) own_.isThrough[rank] = surroundings_.hasLeft(static_cast<int>(rank));
    nextInquiry_ = Clock::time_point::max();
    pause_ = std::clamp<Clock::duration>(quietTime_, shortestPause, longestPause);
    for (const auto& [asker, inquiry] : std::exchange(asked_, {})) answer(asker, inquiry);
    if (!isFirst()) return;
    review_.beginAnew();
    ask();
}

bool Standstill::hasAllOf(int rankThatLeft) const {
    const auto sentCount = static_cast<std::uint32_t>(sentByThoseWhoLeft_.at(rankThatLeft));
    return low(taken_[static_cast<std::size_t>(rankThatLeft)] - sentCount) >= 0;
}

/// Whether this rank is the lowest that has not left. That rank makes the inquiries.
bool Standstill::isFirst() const noexcept {
    for (int rank = 0; rank < transport_.rank(); ++rank) {
        if (!surroundings_.hasLeft(rank)) return false;
    }
    return true;
}

void Standstill::ask() {
    nextInquiry_ = Clock::time_point::max();
    ++inquiry_;
    const int rank = transport_.rank();
    review_.add(rank, own_);
    for (int other = rank + 1; other < transport_.size(); ++other) {
        if (!surroundings_.hasLeft(other)) send(other, inquiryKey, inquiry_, [](IntWriter&) {});
    }
    judge();
}

void Standstill::answer(int asker, std::int32_t inquiry) {
    if (surroundings_.hasLeft(asker)) return;
    send(asker, answerKey, inquiry, [this](IntWriter& out) { out << own_; });
}

void Standstill::handle(const Letter& letter) {
    const std::int32_t number = letter.envelope.number;
    switch (letter.envelope.key) {
        case inquiryKey:
            IntReader(letter.body()).expectEnd();
            if (phase_ == Phase::Still) {
                answer(letter.from, number);
            } else {
                asked_[letter.from] = number;
            }
            return;
        case answerKey: {
            StillnessReport report = readReport(letter, sent_.size());
            if (phase_ != Phase::Still || number != inquiry_ || !isFirst()) return;    // the answer comes too late
            review_.add(letter.from, std::move(report));
            return judge();
        }
        case stillnessVerdictKey: {
            const auto verdict = readBody<StandstillVerdict>(letter);
            // A rank that got its verdict earlier may have sent a letter since. That letter may have ended this wait.
            const bool isOfThisWait = number > lastOfEarlierWaits_ && number <= own_.stillness;
            if (isOfThisWait) end(verdict.ranks, verdict.areCallsAmongThem);
            return;
        }
        default: throw SerializationError(fmt::format("expected a step of the search for deadlocks, found {}", letter.envelope.key));
    }
}

void Standstill::judge() {
    std::vector<bool> hasLeft;
    for (int rank = 0; rank < transport_.size(); ++rank) hasLeft.push_back(surroundings_.hasLeft(rank));
    switch (review_.judge(hasLeft)) {
        case StandstillReview::Finding::Open: return;
        case StandstillReview::Finding::Moving: return postponeNextInquiry();
        case StandstillReview::Finding::Unconfirmed: review_.beginRound(); return ask();
        case StandstillReview::Finding::Stuck: return tellAll();
    }
}

/// Tells every rank that all are stuck, and plans the next inquiry. A rank that throws may catch the exception and wait again. No letter
/// would tell this rank about that.
void Standstill::tellAll() {
    const auto& reports = review_.reports();
    const auto isAny = [&](Waiter waiter) {
        return std::any_of(reports.begin(), reports.end(), [waiter](const auto& report) { return isStuckCall(report, waiter); });
    };
    if (!isAny(Waiter::Call) && !isAny(Waiter::Meeting)) return;
    StandstillVerdict verdict;
    verdict.areCallsAmongThem = isAny(Waiter::Call);
    for (std::size_t rank = 0; rank < reports.size(); ++rank) {
        if (reports[rank]) verdict.ranks.push_back({static_cast<int>(rank), reports[rank]->awaited});
    }
    for (std::size_t rank = 0; rank < reports.size(); ++rank) {
        const auto other = static_cast<int>(rank);
        if (!reports[rank] || other == transport_.rank()) continue;
        send(other, stillnessVerdictKey, reports[rank]->stillness, [&](IntWriter& out) { out << verdict; });
    }
    postponeNextInquiry();
    end(verdict.ranks, verdict.areCallsAmongThem);
}

/// Ends the wait of this rank with a Deadlock where needed. A wait at the end of a guarded region is given up only when no call of the
/// program is among the waits.
void Standstill::end(const std::vector<StuckRank>& ranks, bool areCallsAmongThem) {
    const bool hasToThrow = own_.waiter == Waiter::Call || (own_.waiter == Waiter::Meeting && !areCallsAmongThem);
    if (hasToThrow) deadlock_.emplace(ranks, isOfGroup_ ? "no rank of the group" : "no rank");
}

void Standstill::postponeNextInquiry() {
    nextInquiry_ = transport_.now() + pause_;
    pause_ = std::min(2 * pause_, longestPause);
}

void Standstill::send(int to, std::int32_t key, std::int32_t number, const std::function<void(IntWriter&)>& write) {
    surroundings_.sendOfSearch(to, Envelope{MessageKind::Standstill, key, number}, write);
}

void Standstill::throwDeadlock() {
    const Deadlock deadlock = *std::exchange(deadlock_, std::nullopt);
    throw deadlock;
}

}    // namespace ferry::detail
