#include <ferry/connector/pmpi/RollCall.hpp>

#include <algorithm>

#include <ferry/connector/pmpi/MpiMust.hpp>

namespace ferry::pmpi {

namespace {

constexpr int rollTag = 3;    // on the channel

}    // namespace

RollCall::RollCall(MPI_Comm communicator, int rank, int size)
    : communicator_(communicator),
      rank_(rank),
      answers_(static_cast<std::size_t>(size)),
      endedIn_(static_cast<std::size_t>(size)),
      sentCounts_(static_cast<std::size_t>(size)) {
    postReceive();
}

void RollCall::beginRegion(std::int32_t region) {
    region_ = region;
    isAtEnd_ = false;
    asker_ = -1;
    hasAnnouncedEnd_ = false;
    enteredByEnded_.clear();
    endedCount_ = static_cast<std::size_t>(std::count(endedIn_.begin(), endedIn_.end(), region));    // which others may have entered before
}

void RollCall::look() {
    int hasCome = 0;
    MPI_Status status;
    must(PMPI_Test(&arrival_, &hasCome, &status), "MPI_Test");
    if (hasCome == 0) return;
    take(status.MPI_SOURCE);
    postReceive();
    dropSent();
}

void RollCall::take(int source) {
    ++receivedCount_;
    const auto [region, communicator, number, kind, question] = arriving_;
    const auto rank = static_cast<std::size_t>(source);
    if (kind == EndOfRank) {
        endedIn_[rank] = static_cast<std::int32_t>(region);
        endedCount_ += region == region_ ? 1 : 0;
    }
    if (region != region_) return;
    const Place place{static_cast<std::int32_t>(communicator), static_cast<std::uint64_t>(number)};
    if (kind == Question) answer(source, place, question);
    if (kind == AnswerOfAny && question == question_) answers_[rank] = place.number >= place_.number ? Answer::There : Answer::Elsewhere;
    if (kind == QuestionToEnded)
        send(source, {region_, communicator, static_cast<std::int64_t>(enteredAt(place.communicator)), AnswerOfEnded, 0});
    if (kind == AnswerOfEnded) enteredByEnded_[{source, place.communicator}] = place.number;
}

void RollCall::answer(int source, const Place& place, std::int64_t question) {
    const std::uint64_t entered = enteredAt(place.communicator);
    send(source, {region_, place.communicator, static_cast<std::int64_t>(entered), AnswerOfAny, question});
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
            send(rank, {region_, place.communicator, static_cast<std::int64_t>(place.number), Question, question_});
    }
}

void RollCall::announceEnd() {
    if (std::exchange(hasAnnouncedEnd_, true)) return;
    for (int rank = 0; rank < static_cast<int>(endedIn_.size()); ++rank) {
        if (rank != rank_) send(rank, {region_, endOfRegion, 1, EndOfRank, 0});
    }
}

std::optional<std::uint64_t> RollCall::enteredBy(int endedRank, std::int32_t communicator) {
    const auto [entry, isNew] = enteredByEnded_.try_emplace({endedRank, communicator});
    if (isNew) send(endedRank, {region_, communicator, 0, QuestionToEnded, 0});
    return entry->second;
}

void RollCall::send(int rank, const Letter& letter) {
    Sent& sent = sent_.emplace_back();
    sent.letter = letter;
    must(PMPI_Isend(sent.letter.data(), static_cast<int>(sent.letter.size()), MPI_INT64_T, rank, rollTag, communicator_, &sent.request),
         "MPI_Isend");
    ++sentCounts_[static_cast<std::size_t>(rank)];
}

void RollCall::dropSent() {
    sent_.remove_if([](Sent& sent) {
        int isOver = 0;
        must(PMPI_Test(&sent.request, &isOver, MPI_STATUS_IGNORE), "MPI_Test");
        return isOver != 0;
    });
}

void RollCall::postReceive() {
    must(PMPI_Irecv(arriving_.data(), static_cast<int>(arriving_.size()), MPI_INT64_T, MPI_ANY_SOURCE, rollTag, communicator_, &arrival_),
         "MPI_Irecv");
}

void RollCall::end() {
    int expectedCount = 0;
    must(PMPI_Reduce_scatter_block(sentCounts_.data(), &expectedCount, 1, MPI_INT, MPI_SUM, communicator_), "MPI_Reduce_scatter_block");
    for (; receivedCount_ < expectedCount; ++receivedCount_) {
        must(PMPI_Wait(&arrival_, MPI_STATUS_IGNORE), "MPI_Wait");
        postReceive();
    }
    for (Sent& sent : sent_) must(PMPI_Wait(&sent.request, MPI_STATUS_IGNORE), "MPI_Wait");
    sent_.clear();
    must(PMPI_Cancel(&arrival_), "MPI_Cancel");
    must(PMPI_Wait(&arrival_, MPI_STATUS_IGNORE), "MPI_Wait");
}

}    // namespace ferry::pmpi
