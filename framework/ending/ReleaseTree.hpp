#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <ferry/connector/collective/shape/Tree.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>
#include <ferry/framework/ending/LivingRanks.hpp>

namespace ferry::detail {

/// The release of all ranks at the end of a job, along the binomial tree of the ranks that are not lost. The root is the rank that ends the
/// job.
///
/// The steps:
///   down: the release, with the status of the job and the list of the lost ranks, so that all ranks see the same tree
///   up:   "all ranks below me are released"
///   down, where every rank has a part: "all ranks are released"
///   up, where ranks may die: "all ranks below me know that all are released"
/// Each wait of a step has a time limit. A rank that has waited in vain releases all ranks below the child that has not answered.
/// Where every rank has a part, the root may die meanwhile. So a rank that is released stays until all are, or the root is lost. Then the
/// rank tells its successor, the lowest rank that is left. The successor releases all ranks anew, and the others begin with its tree.
///
/// Threads: the thread of its rank. Ownership: the mailbox must outlive the object.
class ReleaseTree {
public:
    using Clock = Mailbox::Clock;

    // Keys of letters 'Left'. The number of the first two is the status of the job, and their body is the list of lost ranks.
    static constexpr std::int32_t release = 4;          ///< the receiver releases the ranks below
    static constexpr std::int32_t belowReleased = 5;    ///< number = the root: the sender is released, and so are the ranks below it
    static constexpr std::int32_t releaseAlone = 6;     ///< another rank releases the ranks below; the receiver answers at once
    static constexpr std::int32_t allReleased = 7;      ///< all ranks are released: the receiver tells the ranks below. With number
                                                        ///< 1, the receiver answers at once
    static constexpr std::int32_t allHeard = 12;        ///< the sender knows that all are released, and so do the ranks below it

    /// size: number of ranks that were there at the start of the job. patience: the time limit of a step.
    ReleaseTree(Mailbox& mailbox, int size, std::chrono::milliseconds patience);

    /// Whether there are so many ranks that telling them one by one takes longer.
    bool hasManyRanks() const noexcept;

    /// On the rank that ends the job: releases all others. Takes the place of a root that is lost.
    void begin(std::int32_t status);
    /// Takes in a release, and hands it on. Errors: SerializationError for a list of lost ranks that cannot be.
    void take(const Letter& letter);
    /// Whether a release of this kind has come or was sent.
    bool isReleased() const noexcept { return root_ >= 0; }
    /// The rank whose tree is the present one; -1: there is none.
    int root() const noexcept { return root_; }

    /// Notes that the ranks below another one are released.
    void noteBelowReleased(const Letter& letter);
    /// Waits until all ranks below are released, and tells the parent. Does nothing without a release to hand on, or when the parent knows.
    void awaitBelow();

    /// Tells the ranks below that all ranks are released.
    void tellAll();
    void noteAll(const Letter& letter);
    /// Notes that the ranks below another one know that all are released.
    void noteHeard(const Letter& letter);
    /// Waits until all ranks below know that all are released, and tells the parent. Without this wait a rank that dies would keep the word
    /// from the ranks below it, and nobody would be left to tell them.
    void awaitHeard();
    bool areAllReleased() const noexcept { return areAllReleased_; }

    /// Tells the rank that takes the place of a lost root that the job was released.
    void tellSuccessor(int successor) { sayRelease(successor, releaseAlone); }

private:
    void enter(LivingRanks living);
    bool isDone(int rank) const;
    bool isLost(int rank) const { return mailbox_.departures().isLost(rank); }
    void sayRelease(int to, std::int32_t key);
    bool await(const std::vector<int>& ranks, std::chrono::milliseconds time);
    bool awaitHeard(const std::vector<int>& ranks);
    std::vector<int> silentBelow(const std::vector<int>& children, const std::vector<int>& answered) const;

    Mailbox& mailbox_;
    const int rank_;
    const int size_;
    const std::chrono::milliseconds patience_;
    int root_ = -1;
    std::int32_t status_ = 0;    ///< of the job
    LivingRanks living_;         ///< the ranks in the tree
    TreePlace place_;
    std::vector<int> released_;    ///< the ranks that have answered
    std::vector<int> heard_;       ///< the ranks from which `allHeard` has come
    bool isHandedOn_ = false;      ///< the children were told of the release
    bool areAllReleased_ = false;
    bool isAwaited_ = false;    ///< awaitBelow() has ended for this root
};

}    // namespace ferry::detail
