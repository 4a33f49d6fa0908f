#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include <ferry/connector/message/LetterQueue.hpp>

namespace ferry {

/// Letters that somebody has asked for before they came: they are kept for him, and no receive that was called later gets them.
///
/// Ownership: the letters that are here. Threads: the one thread of its rank.
class Expectation {
public:
    enum class Wanted {
        OneLetter,
        WholeGraph,    ///< all pieces of the first graph that comes
    };
    Expectation(const Filter& filter, Wanted wanted) noexcept : first_(filter), filter_(filter), wanted_(wanted) {}

    bool wants(const Letter& letter) const;
    /// The letter must be wanted. After a std::bad_alloc the caller still has it.
    void give(Letter&& letter);

    bool hasLetter() const noexcept { return !letters_.empty(); }
    /// The oldest; there must be one.
    Letter take();
    /// Whether one was taken.
    bool wasTaken() const noexcept { return wasTaken_; }

    /// Whether all that it wants has come.
    bool isComplete() const noexcept { return isComplete_; }

    /// The letters that can still come, for a wait for them.
    const Filter& filter() const noexcept { return filter_; }

    /// Begins anew when the predicate names one of the letters that are kept: all are of one message or graph.
    template <class Predicate>
    void forget(Predicate predicate) {
        if (std::none_of(letters_.begin(), letters_.end(), predicate)) return;
        letters_.clear();
        filter_ = first_;
        hasBegun_ = false;
        isComplete_ = false;
        wasTaken_ = false;
    }

    /// Nobody waits for it any more.
    void drop() noexcept { isDropped_ = true; }
    bool isDropped() const noexcept { return isDropped_; }

private:
    Filter first_;     // for the first letter
    Filter filter_;    // for the next one
    Wanted wanted_;
    std::deque<Letter> letters_;
    bool hasBegun_ = false;
    bool isComplete_ = false;
    bool isDropped_ = false;
    bool wasTaken_ = false;
};

/// The expectations of one rank, in the order in which they were made.
class Expectations {
public:
    void add(std::shared_ptr<Expectation> expectation) { expectations_.push_back(std::move(expectation)); }

    /// Keeps the letter for the first that wants it; false when none does.
    bool offer(Letter& letter);

    /// Whether offer() would take such a letter.
    bool wants(const Letter& letter) const {
        return std::any_of(expectations_.begin(), expectations_.end(), [&](const auto& each) { return each->wants(letter); });
    }

    /// Forgets those of which nothing more is wanted; what dropped ones had kept goes back to the others.
    void settle(LetterQueue& others);

    /// Drops the letters that the predicate names, which are still expected.
    template <class Predicate>
    void forget(Predicate predicate) {
        for (const std::shared_ptr<Expectation>& expectation : expectations_) expectation->forget(predicate);
    }

    bool isEmpty() const noexcept { return expectations_.empty(); }

private:
    std::vector<std::shared_ptr<Expectation>> expectations_;
};

}    // namespace ferry
