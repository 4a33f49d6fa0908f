#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <ferry/connector/message/letter/LetterFilter.hpp>
#include <ferry/connector/transport/Loss.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

class Mailbox;

/// The ranks from which no more letters come: they have said farewell, or are lost. Also the ranks that join while the job runs.
///
/// Ownership: is a part of its mailbox, and borrows it. Errors: SerializationError for damaged letters.
class Departures {
public:
    /// isOfGroup: whether another mailbox is around this one. Its departures count here, too.
    Departures(Mailbox& mailbox, const Transport& transport, bool isOfGroup);
    Departures(const Departures&) = delete;
    Departures& operator=(const Departures&) = delete;

    /// Tells every other rank, or one, that no more letters come from this one. Waits for nothing.
    void sayFarewell();
    void sayFarewellTo(int rank);
    /// Takes in the farewell of another rank.
    void noteFarewell(const Letter& letter);
    /// To be called when a letter has come on the control channel. Such a letter may come behind the farewell of its sender.
    void noteControlLetter() {
        if (!leaving_.empty()) noteWhoHasLeft();
    }

    /// Whether no more letters of the rank will come: it has left and all its letters are here, or it is lost.
    bool hasLeft(int rank) const noexcept;
    /// Whether no matching letter can come any more: all ranks that could send it have left.
    bool isHopeless(const Filter& filter) const noexcept;
    /// Throws RankHasLeft when no matching letter can come any more, and LostRank when the reason is a loss. A step of a collective cannot
    /// come when any rank is lost. A letter of any rank may come; where each loss is told, the loss is thrown once.
    void throwIfNobodyCanSend(const Filter& filter) {
        if (leftCount_ != 0 || isOfGroup_) throwIfGone(filter);
    }

    /// Notes that a rank is lost. From now on its letters are dropped, and so are letters to it. A call that needs it gets a LostRank.
    /// After a std::bad_alloc nothing is noted, and a further call notes it.
    void lose(const Loss& loss);
    /// Tells all other ranks of a loss. After a std::bad_alloc a further call tells all of them again, which does no harm.
    void tellOthers(const Loss& loss);
    /// Takes in another rank's notice of a loss.
    void noteLost(const Letter& letter);
    bool isLost(int rank) const noexcept { return !losses_.empty() && losses_.contains(rank); }
    bool hasLosses() const noexcept { return !losses_.empty(); }

    // The next functions also count losses of the mailboxes around, with the numbers that the ranks have here.
    /// The loss of the rank; none: the rank is not lost.
    std::optional<Loss> lossOf(int rank) const;
    /// The loss of the lowest lost rank; none: no rank is lost.
    std::optional<Loss> firstLoss() const;
    bool isAnyLost() const noexcept;
    /// Throws LostRank when the rank is lost.
    void throwIfLost(int rank) const {
        if (mayHaveLosses()) [[unlikely]]
            throwLossOf(rank);
    }
    /// Throws LostRank when any rank is lost.
    void throwIfAnyLost() const {
        if (mayHaveLosses()) [[unlikely]]
            throwFirstLoss();
    }

    /// From now on a wait for a letter of any rank, or for one of several operations, throws each loss once.
    void tellEachLoss() noexcept { tellsEachLoss_ = true; }
    /// Throws the next loss that such a wait has to throw, if there is one.
    void throwNewLoss() {
        if (mayHaveLosses()) [[unlikely]]
            throwUntoldLoss();
    }

    /// The next loss that was not taken yet, for the caller that handles losses. While there is one, Mailbox::awaitLetter() returns at
    /// once.
    std::optional<Loss> takeLoss();
    bool hasUntakenLoss() const noexcept { return !untakenLosses_.empty(); }

    /// admitJoined(): to be called on rank 0 when its transport has more ranks. Letters can go to them and come from them.
    /// noteJoined(): to be called on a rank that has joined later and reaches rank 0 alone. All other ranks count as lost.
    void admitJoined();
    void noteJoined();

    // Notes of letters of the data channel, farewells left out. A letter that this rank sends itself can come when all others have left.
    void noteSent(int to) noexcept {
        if (to == rank_) ++ownUnderWay_;
    }
    void noteTaken(int from) noexcept {
        if (from == rank_) --ownUnderWay_;
    }

private:
    void noteWhoHasLeft();
    void noteGone(int rank) noexcept;
    int leftCount() const noexcept;
    void throwIfGone(const Filter& filter);
    const Departures& outermost() const noexcept;
    bool mayHaveLosses() const noexcept { return !losses_.empty() || (isOfGroup_ && !outermost().losses_.empty()); }
    void throwLossOf(int rank) const;
    void throwFirstLoss() const;
    void throwUntoldLoss();

    Mailbox& mailbox_;
    const int rank_;
    const bool isOfGroup_;
    std::vector<bool> hasLeft_;    ///< by rank: the rank has left and all its letters are here
    std::vector<int> leaving_;     ///< ranks that have said farewell, but some of their letters are not here
    int leftCount_ = 0;
    std::map<int, Loss> losses_;    ///< by rank
    std::list<Loss> untakenLosses_;
    bool tellsEachLoss_ = false;     ///< used in the outermost mailbox
    std::set<int> toldLosses_;       ///< ranks whose loss a wait for any rank has thrown
    std::size_t ownUnderWay_ = 0;    ///< number of letters that this rank has sent to itself and not taken in
};

}    // namespace ferry::detail
