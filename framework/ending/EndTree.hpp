#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ferry/connector/collective/shape/Tree.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>
#include <ferry/connector/transport/Loss.hpp>
#include <ferry/framework/ending/LivingRanks.hpp>

namespace ferry::detail {

/// The end of a job with many ranks, along the binomial tree of the ranks that are not lost. Its root is the master. No rank has more than
/// O(log2(ranks)) letters to send or to take in. Where a job fails, each rank that fails by itself tells the master of that and of its
/// leaving.
///
/// The steps:
///   down: the word to stop
///   up:   "all ranks below me have left, and so have I"
/// Then the ranks are released (ReleaseTree).
/// A rank that is slow, silent or dead cuts off no other rank. Each wait of a step has a time limit. A rank that has waited in vain goes
/// around the tree: it tells the master itself. The master tells all ranks to stop that have not left.
/// A loss while the job ends goes down as a list of all losses, along the tree of the ranks that are left. From there on that tree is used:
/// ranks that have left tell their new parents. A later list holds the earlier ones, so it reaches whom a death has cut off. After a time
/// the master tells the losses to each rank that has not left: it may be at work, or below such a rank.
///
/// Threads: the thread of its rank. Ownership: the mailbox must outlive the object.
class EndTree {
public:
    using Clock = Mailbox::Clock;

    // Keys of letters 'Left' and 'Stop'.
    static constexpr std::int32_t belowLeft = 3;    ///< number = a rank: it has left, and all below it, each with status 0; body: the
                                                    ///< ranks among these that tell the master themselves, and the lost ranks
    static constexpr std::int32_t losses = 8;       ///< body: the lost ranks, and the reason of each; the receiver tells those below
    static constexpr std::int32_t stayers = 9;      ///< body: ranks that have not left, and the ranks that are not in the tree; number
                                                    ///< 0: the receiver tells those below in the tree of the others
    static constexpr std::int32_t askHeard = 10;    ///< to the parent: has it this rank's word?
    static constexpr std::int32_t heard = 11;       ///< the answer: it has, and the master will have it
    static constexpr std::int32_t stopBelow = 1;    ///< of Stop: the receiver tells the ranks below

    /// size: number of ranks in the tree: those that were there at the start of the job. grace: the grace time of the job.
    EndTree(Mailbox& mailbox, int size, std::chrono::milliseconds grace);

    /// On the master: whether the end should go along the tree. Few ranks are told faster one by one. A rank at work delays the word to the
    /// ranks below it, so a failed job needs more ranks.
    bool isWorthwhile(bool hasFailed) const;
    /// Takes a place in the tree of the ranks that are not lost, as far as this rank knows.
    void mend();
    /// Whether this rank has, or should have, another place in the tree than with this number of losses.
    bool isMended(std::size_t count) const;
    /// Changes whenever this rank has another place in the tree.
    std::size_t lostCount() const noexcept { return living_.lost().size(); }

    /// On the master: tells all losses along the tree of the ranks that are left.
    void tellLosses();
    /// The time at which the master tells them to each rank that has not left; max(): at no time.
    Clock::time_point tellsEachAt() const noexcept { return tellsEachAt_; }
    void tellLossesTo(const std::vector<int>& ranks);
    /// On a slave: takes in losses, and hands them on. lose: notes a loss.
    void takeLosses(const Letter& letter, const std::function<void(const Loss&)>& lose);

    /// Whether the ranks are too many for each to talk to each.
    bool hasManyRanks() const noexcept;
    /// Whether the word to stop came along the tree, or was sent along it.
    bool isInUse() const noexcept { return isInUse_; }
    /// The longest time of each wait, and its end when it begins now.
    std::chrono::milliseconds patience() const noexcept { return patience_; }
    Clock::time_point deadline() const { return mailbox_.transport().now() + patience_; }

    /// Tells the ranks below to stop.
    void stop(std::int32_t status, const std::string& reason);
    /// Takes in the word to stop, and hands it on.
    void takeStop(const Letter& letter);

    /// The ranks that have left, as a letter `belowLeft` says, without those that tell the master themselves. Errors: SerializationError
    /// for a rank that is not in the tree.
    std::vector<int> leftBy(const Letter& letter) const;
    /// On a slave: notes that a child has left, with all ranks below it.
    void noteBelowLeft(const Letter& letter);
    /// On a slave that has left: waits for the ranks below, and tells the parent. tellsMaster: the slave has told the master itself, behind
    /// its failures, so no word along the tree may overtake them. isOver: whether the wait is in vain.
    void leave(bool tellsMaster, const std::function<bool()>& isOver);
    /// On a slave that tells the master itself that it has left: so it does for the ranks below.
    void leaveAround();
    /// On a slave that has told its parent and hears nothing: tells the master.
    void tellMaster();
    /// On a slave that hears nothing: asks its parent whether it has left, and has this rank's word. False: there is no parent to ask.
    bool askParent();
    void answer(const Letter& letter);
    void noteHeard(const Letter& letter) noexcept { isHeard_ = isHeard_ || letter.from == place_.parent; }
    bool isHeard() const noexcept { return isHeard_; }

    /// On the master: tells those that have left which ranks have not.
    void tellStayers(const std::vector<int>& late);
    /// On a slave: takes in which ranks have not left, and hands it on.
    std::vector<int> takeStayers(const Letter& letter) const;

private:
    enum class Leaving { NotYet, WithAllBelow, Alone };
    /// The contents of a letter `belowLeft`.
    struct Word {
        std::vector<std::int32_t> alone;    ///< ranks that tell the master themselves
        LivingRanks living;                 ///< the tree of the sender
    };

    void enter(LivingRanks living);
    void sayLosses();
    void sayStayers(int to, const std::vector<int>& ranks, const LivingRanks* tree) const;
    bool isLost(int rank) const { return mailbox_.departures().isLost(rank); }
    Word read(const Letter& letter) const;
    void sayBelowLeft(int to, int root);
    void pump(const std::function<bool()>& condition);

    Mailbox& mailbox_;
    const int rank_;
    const int size_;
    const std::chrono::milliseconds patience_;
    LivingRanks living_;    ///< the ranks in the tree
    TreePlace place_;
    std::size_t handedOn_ = 0;    ///< number of losses that this rank has told the ranks below
    Clock::time_point tellsEachAt_ = Clock::time_point::max();
    bool isInUse_ = false;
    bool isHeard_ = false;    ///< the parent has this rank's word, and has left
    Leaving leaving_ = Leaving::NotYet;
    std::vector<int> left_;     ///< children that have left, with all ranks below them
    std::vector<int> alone_;    ///< ranks among these that tell the master themselves
};

}    // namespace ferry::detail
