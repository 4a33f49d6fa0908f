#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <mpi.h>

#include <ferry/connector/pmpi/Communicators.hpp>

namespace ferry::pmpi {

/// Asks the ranks of a region which of them have come to a collective call, or to the end of the region. Those that wait in a call of MPI
/// answer; a rank that computes does not. A rank that waits at the end may say so unasked.
///
/// On the channel's communicator. The receive is posted for the life of the roll call; what belongs to another region is dropped.
/// A question is answered with how many barriers its receiver has entered on the communicator.
class RollCall {
public:
    /// What is asked for: the barrier with this number on a communicator, or the end of the region.
    struct Place {
        std::int32_t communicator = endOfRegion;    ///< its id
        std::uint64_t number = 1;
        bool operator==(const Place&) const = default;
    };
    static constexpr std::int32_t endOfRegion = -1;

    /// communicator: the channel's duplicate.
    RollCall(MPI_Comm communicator, int rank, int size);
    RollCall(const RollCall&) = delete;
    RollCall& operator=(const RollCall&) = delete;

    void beginRegion(std::int32_t region);
    void noteEnd() noexcept { isAtEnd_ = true; }
    /// Takes in and answers what has come.
    void look();

    /// ranks: of the channel, those of the communicator.
    void ask(const Place& place, const std::vector<int>& ranks);
    /// Whether the rank has said that it is there, since ask().
    bool isThere(int rank) const { return answers_[static_cast<std::size_t>(rank)] == Answer::There; }
    bool isElsewhere(int rank) const { return answers_[static_cast<std::size_t>(rank)] == Answer::Elsewhere; }
    bool hasAnswered(int rank) const { return answers_[static_cast<std::size_t>(rank)] != Answer::None; }
    /// The lowest rank that has asked for this place while this rank was there; -1: none.
    int askerFor(const Place& place) const noexcept { return place == askedPlace_ ? asker_ : -1; }

    /// Tells all others, once in a region, that this rank waits at its end.
    void announceEnd();
    /// Whether any rank has announced its end.
    bool knowsAnyEnd() const noexcept { return endedCount_ > 0; }
    bool isAtEnd(int rank) const { return endedIn_[static_cast<std::size_t>(rank)] == region_; }
    /// How many barriers a rank that is at its end has entered on a communicator; asks it the first time, and knows nothing until it has
    /// answered.
    std::optional<std::uint64_t> enteredBy(int endedRank, std::int32_t communicator);

    /// Receives what is still on its way. Collective.
    void end();

private:
    enum Kind : std::int64_t { Question, AnswerOfAny, EndOfRank, QuestionToEnded, AnswerOfEnded };
    using Letter = std::array<std::int64_t, 5>;    // region, communicator, number, kind, number of the question
    enum class Answer : std::uint8_t { None, There, Elsewhere };
    struct Sent {
        Letter letter{};
        MPI_Request request = MPI_REQUEST_NULL;
    };

    void postReceive();
    void take(int source);
    void answer(int source, const Place& place, std::int64_t question);
    std::uint64_t enteredAt(std::int32_t communicator) const;
    void send(int rank, const Letter& letter);
    void dropSent();

    MPI_Comm communicator_;
    int rank_;
    std::int32_t region_ = 0;
    bool isAtEnd_ = false;
    Place place_;    // of the last question
    std::int64_t question_ = 0;
    std::vector<Answer> answers_;
    std::vector<std::int32_t> endedIn_;    // by rank: the region whose end it has announced last
    std::size_t endedCount_ = 0;           // of this region
    bool hasAnnouncedEnd_ = false;
    std::map<std::pair<int, std::int32_t>, std::optional<std::uint64_t>> enteredByEnded_;    // by rank and communicator; none: asked
    Place askedPlace_;
    int asker_ = -1;
    Letter arriving_{};
    MPI_Request arrival_ = MPI_REQUEST_NULL;
    std::list<Sent> sent_;
    std::vector<int> sentCounts_;    // by rank, for end()
    int receivedCount_ = 0;
};

}    // namespace ferry::pmpi
