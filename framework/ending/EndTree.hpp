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

namespace ferry::detail {

/// The end of a job with many ranks, along the binomial tree whose root is the master. No rank has more than O(log2(ranks)) letters to send
/// or to take in. Where a job fails, each rank that fails by itself tells the master of that and of its leaving.
///
/// The steps:
///   down: the word to stop
///   up:   "all ranks below me have left, and so have I"
/// Then the ranks are released (ReleaseTree).
/// A rank that is slow, silent or dead cuts off no other rank. Each wait of a step has a time limit. A rank that has waited in vain goes
/// around the tree: it tells the master itself. The master tells all ranks to stop that have not left.
///
/// Threads: the thread of its rank. Ownership: the mailbox must outlive the object.
class EndTree {
public:
    using Clock = Mailbox::Clock;

    // Keys of letters 'Left' and 'Stop'.
    static constexpr std::int32_t belowLeft = 3;        ///< number = a rank: it has left, and all below it, each with status 0; body: the
                                                        ///< ranks among these that tell the master themselves
    static constexpr std::int32_t stopBelow = 1;        ///< of Stop: the receiver tells the ranks below

    /// size: number of ranks in the tree: those that were there at the start of the job. grace: the grace time of the job.
    EndTree(Mailbox& mailbox, int size, std::chrono::milliseconds grace);

    /// On the master: whether the end should go along the tree. Few ranks are told faster one by one, and a tree with a gap is none. A rank
    /// at work delays the word to the ranks below it, so a failed job needs more ranks.
    bool isWorthwhile(bool hasFailed) const;
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

private:
    enum class Leaving { NotYet, WithAllBelow, Alone };

    std::vector<int> below(int rank) const;
    bool isLost(int rank) const { return mailbox_.departures().isLost(rank); }
    static std::vector<std::int32_t> readAlone(const Letter& letter, std::size_t mostRanks);
    void say(int to, std::int32_t key, std::int32_t number);
    void sayBelowLeft(int to, int root);
    void pump(const std::function<bool()>& condition);

    Mailbox& mailbox_;
    const int rank_;
    const int size_;
    const std::chrono::milliseconds patience_;
    const TreePlace place_;
    bool isInUse_ = false;
    Leaving leaving_ = Leaving::NotYet;
    std::vector<int> left_;     ///< children that have left, with all ranks below them
    std::vector<int> alone_;    ///< ranks among these that tell the master themselves
};

}    // namespace ferry::detail
