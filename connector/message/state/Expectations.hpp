#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include <ferry/connector/message/letter/Expectation.hpp>
#include <ferry/connector/message/letter/LetterQueue.hpp>

namespace ferry::detail {

/// The expectations of one rank, in the order in which they were made.
class Expectations {
public:
    void add(std::shared_ptr<Expectation> expectation) {
        expectation->tellDropTo(isOneDropped_);
        expectations_.push_back(std::move(expectation));
    }

    /// Gives the letter to the first expectation that wants it. False when none does.
    bool offer(Letter& letter);

    /// Whether offer() would take such a letter.
    bool wants(const Letter& letter) const {
        return std::any_of(expectations_.begin(), expectations_.end(), [&](const auto& each) { return each->wants(letter); });
    }

    /// Whether an expectation was dropped that settle() has not removed. Any thread may drop one.
    bool isOneDropped() const noexcept { return isOneDropped_->load(std::memory_order_relaxed); }

    /// Removes dropped expectations, and complete ones whose letters were all taken. Letters that dropped ones had kept go back into
    /// `others`. True: there were such letters. After a std::bad_alloc nothing is lost, and the next call does the rest.
    bool settle(LetterQueue& others);

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
    const std::shared_ptr<std::atomic<bool>> isOneDropped_ = std::make_shared<std::atomic<bool>>(false);    ///< shared with them
};

}    // namespace ferry::detail
