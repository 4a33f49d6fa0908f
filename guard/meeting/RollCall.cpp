#include <ferry/guard/meeting/RollCall.hpp>

#include <cstring>
#include <string>

#include <ferry/guard/known/Communicators.hpp>

namespace ferry::pmpi {

namespace {

constexpr int rollTag = 3;                                                                  // on the meeting place
constexpr std::size_t textBytes = sizeof(SideMessages::Contents) - sizeof(std::int64_t);    // behind the kind of the side message

std::string textIn(const SideMessages::Contents& contents) {
    const auto* characters = reinterpret_cast<const char*>(&contents[1]);
    return {characters, ::strnlen(characters, textBytes)};
}

/// The side message of this kind with the beginning of a text.
SideMessages::Contents contentsOf(std::int64_t kind, const char* text) {
    SideMessages::Contents contents{kind};
    std::strncpy(reinterpret_cast<char*>(&contents[1]), text, textBytes - 1);
    return contents;
}

}    // namespace

RollCall::RollCall(MPI_Comm communicator, int rank, int size, const EntryTree& tree)
    : sideMessages_(communicator, size, rollTag),
      rank_(rank),
      tree_(tree),
      answers_(static_cast<std::size_t>(size)) {}

void RollCall::beginRegion(std::int32_t region) {
    sideMessages_.beginRegion(region);
    isAtEnd_ = false;
    asker_ = -1;
    hasAnnouncedEnd_ = false;
    ended_.clear();
    missing_.reset();
    failure_.reset();
    enteredByEnded_.clear();
}

void RollCall::look() {
    while (const std::optional<SideMessages::SideMessage> sideMessage = sideMessages_.next()) take(*sideMessage);
}

void RollCall::take(const SideMessages::SideMessage& sideMessage) {
    const auto [kind, communicator, number, question] = sideMessage.contents;
    const Place place{static_cast<std::int32_t>(communicator), static_cast<std::uint64_t>(number)};
    switch (kind) {
        case Question: return answer(sideMessage.from, place, question);
        case AnswerOfAny:
            if (question != question_) return;
            answers_[static_cast<std::size_t>(sideMessage.from)] = place.number >= place_.number ? Answer::There : Answer::Elsewhere;
            return;
        case EndOfRank: ended_[sideMessage.from] = question; return;
        case FailedRank: failure_ = Failure{sideMessage.from, textIn(sideMessage.contents)}; return;
        case MissingRank: missing_ = Missing{sideMessage.from, textIn(sideMessage.contents)}; return;
        case QuestionToEnded: {
            const bool isOfDeferred = static_cast<Count>(question) == Count::Deferred;
            const std::uint64_t count = isOfDeferred ? tree_.enteredOn(place.communicator) : enteredAt(place.communicator);
            return send(sideMessage.from, AnswerOfEnded, {place.communicator, count}, question);
        }
        default: enteredByEnded_[{sideMessage.from, place.communicator, question}] = place.number;
    }
}

void RollCall::answer(int source, const Place& place, std::int64_t question) {
    const std::uint64_t entered = enteredAt(place.communicator);
    send(source, AnswerOfAny, {place.communicator, entered}, question);
    if (entered < place.number) return;
    if (place != askedPlace_ || asker_ < 0 || source < asker_) asker_ = source;
    askedPlace_ = place;
}

std::uint64_t RollCall::enteredAt(std::int32_t communicator) const {
    if (communicator == endOfRegion) return isAtEnd_ ? 1 : 0;
    const Communicator* known = Communicators::ofProcess().withId(communicator);
    return known != nullptr ? known->entered : 0;
}

void RollCall::ask(const Place& place, const std::vector<int>& ranks) {
    place_ = place;
    ++question_;
    answers_.assign(answers_.size(), Answer::None);
    for (const int rank : ranks) {
        if (rank == rank_)
            answers_[static_cast<std::size_t>(rank)] = Answer::There;
        else
            send(rank, Question, place, question_);
    }
}

void RollCall::announceEnd(bool hasCaught, bool isIdle) {
    if (std::exchange(hasAnnouncedEnd_, true)) return;
    const StateAtEnd state = !hasCaught ? Plain : isIdle ? CaughtAndIdle : Caught;
    for (int rank = 0; rank < static_cast<int>(answers_.size()); ++rank) {
        if (rank != rank_) send(rank, EndOfRank, {}, state);
    }
}

void RollCall::tellMissed(int endedRank, const char* call) { sideMessages_.send(endedRank, contentsOf(MissingRank, call)); }

void RollCall::tellFailure(const std::string& text) {
    for (int rank = 0; rank < static_cast<int>(answers_.size()); ++rank) {
        if (rank != rank_) sideMessages_.send(rank, contentsOf(FailedRank, text.c_str()));
    }
}

std::optional<std::uint64_t> RollCall::enteredBy(int endedRank, std::int32_t communicator, Count count) {
    const auto what = static_cast<std::int64_t>(count);
    const auto [entry, isNew] = enteredByEnded_.try_emplace({endedRank, communicator, what});
    if (isNew) send(endedRank, QuestionToEnded, {communicator, 0}, what);
    return entry->second;
}

void RollCall::send(int to, Kind kind, const Place& place, std::int64_t question) {
    sideMessages_.send(to, {kind, place.communicator, static_cast<std::int64_t>(place.number), question});
}

}    // namespace ferry::pmpi
