#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <utility>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>
#include <ferry/serialization/ints/algorithms.hpp>

namespace ferry::detail {

class LetterQueue;

/// Letters that a call has asked for before they came (MessageCalls::expect). They are kept for this expectation: receives that are called
/// later do not get them.
///
/// Ownership: owns the letters that have arrived for it. Threads: the one thread of its rank; drop() on any thread.
class Expectation {
public:
    enum class Wanted {
        OneLetter,
        WholeGraph,    ///< all pieces of the first graph that comes
    };
    Expectation(const Filter& filter, Wanted wanted) : first_(filter), filter_(filter), wanted_(wanted) {}

    bool wants(const Letter& letter) const;
    /// Keeps the letter, which must be wanted. After a std::bad_alloc the caller still has it.
    void give(Letter&& letter);

    bool hasLetter() const noexcept { return !letters_.empty(); }
    /// The oldest kept letter; null: there is none.
    const Letter* oldest() const noexcept { return letters_.empty() ? nullptr : &letters_.front(); }
    /// Takes out the oldest letter. There must be one.
    Letter take();
    /// Moves all kept letters back to the queue, to their places there, and wants no more. After a std::bad_alloc the rest is still here.
    void handBack(LetterQueue& queue);
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

    /// From now on nobody waits for this expectation. The thread of the rank does the rest (Expectations::settle).
    void drop() noexcept {
        isDropped_.store(true, std::memory_order_relaxed);
        if (news_) news_->store(true, std::memory_order_release);
    }
    bool isDropped() const noexcept { return isDropped_.load(std::memory_order_relaxed); }
    /// drop() sets news, from now on. To be called before another thread can know the expectation.
    void tellDropTo(std::shared_ptr<std::atomic<bool>> news) noexcept { news_ = std::move(news); }

private:
    Filter first_;     // for the first letter
    Filter filter_;    // for the next letter
    Wanted wanted_;
    std::deque<Letter> letters_;
    bool hasBegun_ = false;
    bool isComplete_ = false;
    bool wasTaken_ = false;
    std::atomic<bool> isDropped_{false};
    std::shared_ptr<std::atomic<bool>> news_;    // null: nobody is told of a drop
};

}    // namespace ferry::detail
