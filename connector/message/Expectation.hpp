#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include <ferry/connector/message/LetterQueue.hpp>

namespace ferry::detail {

/// Letters that a call has asked for before they came (MessageCalls::expect). They are kept for this expectation: receives that are called
/// later do not get them.
///
/// Ownership: owns the letters that have arrived for it. Threads: the one thread of its rank.
class Expectation {
public:
    enum class Wanted {
        OneLetter,
        WholeGraph,    ///< all pieces of the first graph that comes
    };
    Expectation(const Filter& filter, Wanted wanted) noexcept : first_(filter), filter_(filter), wanted_(wanted) {}

    bool wants(const Letter& letter) const;
    /// Keeps the letter, which must be wanted. After a std::bad_alloc the caller still has it.
    void give(Letter&& letter);

    bool hasLetter() const noexcept { return !letters_.empty(); }
    /// The oldest kept letter; null: there is none.
    const Letter* oldest() const noexcept { return letters_.empty() ? nullptr : &letters_.front(); }
    /// Takes out the oldest letter. There must be one.
    Letter take();
    /// Whether a letter was taken out.
    bool wasTaken() const noexcept { return wasTaken_; }

    /// Whether all letters that the expectation wants have come.
    bool isComplete() const noexcept { return isComplete_; }

    /// The letters that can still come. The wait for them uses this filter.
    const Filter& filter() const noexcept { return filter_; }

    /// Drops all kept letters and begins again when the predicate holds for one of them. All kept letters belong to one message or graph.
    template <class Predicate>
    void forget(Predicate predicate) {
        if (std::none_of(letters_.begin(), letters_.end(), predicate)) return;
        letters_.clear();
        filter_ = first_;
        hasBegun_ = false;
        isComplete_ = false;
        wasTaken_ = false;
    }

    /// From now on nobody waits for this expectation.
    void drop() noexcept { isDropped_ = true; }
    bool isDropped() const noexcept { return isDropped_; }

private:
    Filter first_;     // for the first letter
    Filter filter_;    // for the next letter
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

    /// Gives the letter to the first expectation that wants it. False when none does.
    bool offer(Letter& letter);

    /// Whether offer() would take such a letter.
    bool wants(const Letter& letter) const {
        return std::any_of(expectations_.begin(), expectations_.end(), [&](const auto& each) { return each->wants(letter); });
    }

    /// Removes dropped expectations, and complete ones whose letters were all taken. Letters that dropped ones had kept go into `others`,
    /// as its oldest.
    void settle(LetterQueue& others);

    /// Drops the letters for which the predicate holds. Their expectations wait for such letters again.
    template <class Predicate>
    void forget(Predicate predicate) {
        for (const std::shared_ptr<Expectation>& expectation : expectations_) expectation->forget(predicate);
    }

    /// The oldest kept letter of an expectation, if it matches; null: there is none.
    const Letter* find(const Filter& filter) const {
        for (const std::shared_ptr<Expectation>& each : expectations_) {
            if (each->oldest() != nullptr && filter.matches(*each->oldest())) return each->oldest();
        }
        return nullptr;
    }

    bool isEmpty() const noexcept { return expectations_.empty(); }

private:
    std::vector<std::shared_ptr<Expectation>> expectations_;
};

}    // namespace ferry::detail
