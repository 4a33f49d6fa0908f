#include <ferry/connector/region/Survivors.hpp>

#include <algorithm>
#include <exception>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

FERRY_FIELDS_DEFINED(ferry::detail::SurvivorGroup)
FERRY_FIELDS_DEFINED(ferry::detail::SurvivorPart)

namespace ferry::detail {

namespace {

// Keys of the letters, frozen: docs/wire-format.md.
constexpr std::int32_t shrinkQuestion = 1;
constexpr std::int32_t shrinkAnswer = 2;
constexpr std::int32_t shrinkDecision = 3;
constexpr std::int32_t shrinkCall = 4;

// The ballot of a decision that a rank has taken. No later one can differ, since each leader asks all ranks that are left.
constexpr std::int32_t finalBallot = std::numeric_limits<std::int32_t>::max();

}    // namespace

Survivors::Survivors(Mailbox& outermost) : outermost_(outermost) {
    outermost_.hooks().onControl(MessageKind::Shrink, [this](const Letter& letter) { handle(letter); });
}

SurvivorGroup Survivors::agree(Mailbox& mailbox, std::int32_t count) {
    const Place place = placeOf(mailbox, count);
    std::vector<int> order;
    for (int rank = 0; rank < mailbox.transport().size(); ++rank) order.push_back(mailbox.nest().rankInJob(rank));
    Meeting& meeting = meetings_[place];
    meeting.isHere = true;
    mailbox.due().endSummons();
    if (meeting.asker != -1 && !meeting.decision) answer(place, meeting);
    const auto isDecided = [&] {
        lead(place, meeting, order);
        return meeting.decision.has_value();
    };
    mailbox.waitUntil(isDecided, [&] { return describe(meeting, order); });
    return *meeting.decision;
}

/// Does what this rank has to do as the leader, or calls the leader.
void Survivors::lead(const Place& place, Meeting& meeting, const std::vector<int>& order) {
    if (meeting.decision) return;
    const auto first = std::find_if(order.begin(), order.end(), [this](int rank) { return !isGone(rank); });
    if (*first != ownRank()) {
        if (meeting.calledFor == *first) return;
        meeting.calledFor = *first;    // the leader may work elsewhere, and not know that ranks wait for it here
        return send(*first, shrinkCall, place, SurvivorPart{});
    }
    const auto ballot = static_cast<std::int32_t>(first - order.begin());
    if (meeting.ballot > ballot) return;    // the others have given this rank up
    if (meeting.ballot < ballot) {
        meeting.ballot = ballot;
        meeting.asker = ownRank();
        meeting.answers.clear();
        for (const int rank : order) {
            if (rank != ownRank() && !isGone(rank)) send(rank, shrinkQuestion, place, SurvivorPart{.ballot = ballot});
        }
    }
    const auto hasAnswered = [&](int rank) { return rank == ownRank() || isGone(rank) || meeting.answers.contains(rank); };
    if (std::all_of(order.begin(), order.end(), hasAnswered)) decide(place, meeting, order, ballot);
}

void Survivors::decide(const Place& place, Meeting& meeting, const std::vector<int>& order, std::int32_t ballot) {
    SurvivorGroup group;
    group.id = outermost_.nest().nextGroup();
    for (const auto& [rank, part] : meeting.answers) group.id = std::max(group.id, part.nextGroup);
    group.id += ballot;    // letters of a group that a lost leader may have told of are never taken for letters of this one
    std::copy_if(order.begin(), order.end(), std::back_inserter(group.members), [this](int rank) { return !isGone(rank); });
    for (const auto& [rank, part] : meeting.answers) {
        if (part.isDecided) group = part.decision;    // an earlier leader has decided
    }
    meeting.decision = group;
    for (const int rank : order) {
        if (rank != ownRank() && !isGone(rank))
            send(rank, shrinkDecision, place, SurvivorPart{.ballot = ballot, .isDecided = true, .decision = group});
    }
}

void Survivors::answer(const Place& place, const Meeting& meeting) {
    send(meeting.asker, shrinkAnswer, place,
         SurvivorPart{.ballot = meeting.ballot,
                      .nextGroup = outermost_.nest().nextGroup(),
                      .isDecided = meeting.decision.has_value(),
                      .decision = meeting.decision.value_or(SurvivorGroup())});
}

void Survivors::handle(const Letter& letter) {
    IntReader in(letter.body(), outermost_.factory());
    SurvivorPart part;
    in >> part;
    in.expectEnd();
    if (part.isDecided) requireGroup(part.decision);
    noteLosses(part);
    const Place place{part.groups, letter.envelope.number};
    switch (letter.envelope.key) {
        case shrinkQuestion: return noteQuestion(place, letter.from, part);
        case shrinkAnswer: {
            Meeting& meeting = meetings_[place];
            if (meeting.asker == ownRank() && part.ballot == meeting.ballot) meeting.answers.insert_or_assign(letter.from, std::move(part));
            return;
        }
        case shrinkDecision: {
            Meeting& meeting = meetings_[place];
            if (!meeting.decision && part.isDecided && part.ballot >= meeting.ballot) meeting.decision = std::move(part.decision);
            return;
        }
        case shrinkCall: {
            const std::optional<SurvivorGroup> decision = meetings_[place].decision;
            if (!decision) return summon(place);
            // An earlier leader has decided. This rank, which leads now, has what it needs, and does not come to the agreement again.
            return send(letter.from, shrinkDecision, place, SurvivorPart{.ballot = finalBallot, .isDecided = true, .decision = *decision});
        }
        default: throw SerializationError(fmt::format("expected a step of an agreement of survivors, found {}", letter.envelope.key));
    }
}

void Survivors::noteLosses(const SurvivorPart& part) {
    for (const auto& [rank, reason] : part.lost) {
        const bool isPossible = rank >= 0 && rank < outermost_.transport().size();
        if (!isPossible) throw SerializationError(fmt::format("expected a lost rank, found rank {}", rank));
        if (rank != ownRank()) outermost_.departures().lose({rank, reason});
    }
}

void Survivors::noteQuestion(const Place& place, int from, const SurvivorPart& part) {
    Meeting& meeting = meetings_[place];
    if (part.ballot < meeting.ballot) return;
    meeting.ballot = part.ballot;
    meeting.asker = from;
    if (meeting.isHere || meeting.decision) return answer(place, meeting);
    summon(place);
}

/// Wakes this rank from its calls of the mailbox, if others wait for it in an agreement because of a loss.
void Survivors::summon(const Place& place) {
    if (meetings_[place].isHere) return;
    Mailbox* const mailbox = mailboxAt(place);
    if (mailbox == nullptr) return;
    if (const std::optional<Loss> loss = mailbox->departures().firstLoss()) mailbox->due().summon(std::make_exception_ptr(LostRank(*loss)));
}

void Survivors::send(int to, std::int32_t key, const Place& place, SurvivorPart part) {
    part.groups = place.groups;
    for (int rank = 0; rank < outermost_.transport().size() && outermost_.departures().hasLosses(); ++rank) {
        if (const std::optional<Loss> loss = outermost_.departures().lossOf(rank)) part.lost.emplace_back(rank, loss->reason);
    }
    insist([&] {
        outermost_.post(to, Channel::Control, Envelope{MessageKind::Shrink, key, place.count}, [&part](IntWriter& out) { out << part; });
    });
}

/// Checks a decision of another rank. Errors: SerializationError.
void Survivors::requireGroup(const SurvivorGroup& group) const {
    std::vector<int> sorted = group.members;
    std::sort(sorted.begin(), sorted.end());
    const bool areRanks = !sorted.empty() && sorted.front() >= 0 && sorted.back() < outermost_.transport().size();
    const bool isPossible = group.id > 0 && areRanks && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() &&
                            std::binary_search(sorted.begin(), sorted.end(), ownRank());
    if (!isPossible)
        throw SerializationError(fmt::format("expected a group of survivors with rank {}, found group {} of rank {}", ownRank(), group.id,
                                             fmt::join(group.members, ", ")));
}

bool Survivors::isGone(int rank) const noexcept { return rank != ownRank() && outermost_.departures().hasLeft(rank); }

Survivors::Place Survivors::placeOf(const Mailbox& mailbox, std::int32_t count) {
    Place place;
    place.count = count;
    for (const Mailbox* one = &mailbox; one->nest().group() != nullptr; one = one->nest().around())
        place.groups.push_back(one->nest().group()->id());
    return place;
}

/// The mailbox of the agreement. Null: this rank has not made it, or it has ended.
Mailbox* Survivors::mailboxAt(const Place& place) const {
    Mailbox* mailbox = &outermost_;
    for (auto id = place.groups.rbegin(); id != place.groups.rend(); ++id) {
        const std::vector<Mailbox*>& inside = mailbox->nest().inside();
        const auto inner =
            std::find_if(inside.begin(), inside.end(), [id](const Mailbox* one) { return one->nest().group()->id() == *id; });
        if (inner == inside.end()) return nullptr;
        mailbox = *inner;
    }
    return mailbox;
}

Awaited Survivors::describe(const Meeting& meeting, const std::vector<int>& order) const {
    std::vector<int> missing;
    const auto leader = std::find_if(order.begin(), order.end(), [this](int rank) { return !isGone(rank); });
    for (const int rank : order) {
        const bool isAwaited = meeting.asker == ownRank() ? !meeting.answers.contains(rank) : rank == *leader;
        if (rank != ownRank() && !isGone(rank) && isAwaited) missing.push_back(rank);
    }
    std::string what = fmt::format("rank {} to call shrink()", fmt::join(missing, ", "));
    return {std::move(missing), std::move(what)};
}

}    // namespace ferry::detail
