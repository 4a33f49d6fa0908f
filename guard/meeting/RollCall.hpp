#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <mpi.h>

#include <ferry/guard/meeting/EntryTree.hpp>
#include <ferry/guard/meeting/SideMessages.hpp>

namespace ferry::pmpi {

/// Asks the ranks of a region which of them have come to a collective call, or to the end of the region. Ranks that wait in a call of MPI
/// answer; a rank that computes does not. A rank that waits at the end may say so without a question.
///
/// An answer holds the number of barriers that the asked rank has entered on the communicator.
class RollCall {
public:
    /// The subject of a question: the barrier of this number on a communicator, or the end of the region.
    struct Place {
        std::int32_t communicator = endOfRegion;    ///< id of the communicator
        std::uint64_t number = 1;
        bool operator==(const Place&) const = default;
    };
    static constexpr std::int32_t endOfRegion = -1;
    /// A rank that waits in vain.
    struct Missing {
        int rank = -1;
        std::string call;
    };
    /// A rank that has failed.
    struct Failure {
        int rank = -1;
        std::string text;    ///< the beginning of the text of its exception
    };
    /// The objects that are counted on a communicator: barriers of the guard, or non-blocking collectives of the program.
    enum class Count : std::int64_t { Barriers, Deferred };

    /// communicator: the meeting place's duplicate. Borrows the tree.
    RollCall(MPI_Comm communicator, int rank, int size, const EntryTree& tree);
    RollCall(const RollCall&) = delete;
    RollCall& operator=(const RollCall&) = delete;

    void beginRegion(std::int32_t region);
    void noteEnd() noexcept { isAtEnd_ = true; }
    /// Takes in the side messages that have arrived, and answers questions.
    void look();

    /// Asks the ranks. ranks: the ranks of the communicator, as ranks of the meeting place.
    void ask(const Place& place, const std::vector<int>& ranks);
    /// Whether the rank has answered since ask() that it is at the place.
    bool isThere(int rank) const { return answers_[static_cast<std::size_t>(rank)] == Answer::There; }
    bool isElsewhere(int rank) const { return answers_[static_cast<std::size_t>(rank)] == Answer::Elsewhere; }
    bool hasAnswered(int rank) const { return answers_[static_cast<std::size_t>(rank)] != Answer::None; }
    /// The lowest rank that has asked for this place while this rank was there; -1: no rank.
    int askerFor(const Place& place) const noexcept { return place == askedPlace_ ? asker_ : -1; }

    /// Tells all other ranks, once in a region, that this rank waits at the region's end. hasCaught: the rank has caught an exception in
    /// the region, and can say so when it is missed. isIdle: none of its sends and receives is under way.
    void announceEnd(bool hasCaught, bool isIdle);
    /// Whether any rank has announced its end.
    bool knowsAnyEnd() const noexcept { return !ended_.empty(); }
    bool isAtEnd(int rank) const { return ended_.count(rank) != 0; }
    /// Whether a rank at its end has caught an exception in the region.
    bool hasCaught(int rank) const { return stateOf(rank) >= Caught; }
    /// Whether it also has no send or receive under way.
    bool hasGivenUp(int rank) const { return stateOf(rank) == CaughtAndIdle; }
    /// Tells a rank at its end that this rank waits for it in vain. call: the name of the call that waits, whose beginning travels.
    void tellMissed(int endedRank, const char* call);
    /// A rank that waits in vain for this rank, which is at its end, and the call in which it waits. Empty: none has said so.
    const std::optional<Missing>& missing() const noexcept { return missing_; }
    /// Tells each rank that this rank has failed, past the tree of notices: ranks of the tree may wait where no notice reaches them.
    void tellFailure(const std::string& text);
    /// The failure that a rank has told so.
    const std::optional<Failure>& failure() const noexcept { return failure_; }
    /// The number of barriers or collectives on a communicator to which a rank at its end has come. The first call asks that rank; empty:
    /// no answer yet.
    std::optional<std::uint64_t> enteredBy(int endedRank, std::int32_t communicator, Count count);

    /// Receives all side messages that are still under way. Collective.
    void end() { sideMessages_.end(); }

private:
    enum Kind : std::int64_t { Question, AnswerOfAny, EndOfRank, QuestionToEnded, AnswerOfEnded, MissingRank, FailedRank };
    enum StateAtEnd : std::int64_t { Plain, Caught, CaughtAndIdle };
    enum class Answer : std::uint8_t { None, There, Elsewhere };

    void take(const SideMessages::SideMessage& sideMessage);
    void answer(int source, const Place& place, std::int64_t question);
    void send(int to, Kind kind, const Place& place, std::int64_t question = 0);
    std::uint64_t enteredAt(std::int32_t communicator) const;
    std::int64_t stateOf(int rank) const {
        const auto found = ended_.find(rank);
        return found != ended_.end() ? found->second : Plain;
    }

    SideMessages sideMessages_;
    int rank_;
    const EntryTree& tree_;
    bool isAtEnd_ = false;
    Place place_;    // of the last question
    std::int64_t question_ = 0;
    std::vector<Answer> answers_;
    std::map<int, std::int64_t> ended_;    // states of the ranks that have announced their end
    std::optional<Missing> missing_;
    std::optional<Failure> failure_;
    bool hasAnnouncedEnd_ = false;
    std::map<std::tuple<int, std::int32_t, std::int64_t>, std::optional<std::uint64_t>> enteredByEnded_;    // by question; empty: no answer
                                                                                                            // yet
    Place askedPlace_;
    int asker_ = -1;
};

}    // namespace ferry::pmpi
