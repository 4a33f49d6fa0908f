#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <ferry/connector/message/letter/LetterQueue.hpp>
#include <ferry/connector/message/state/Expectations.hpp>
#include <ferry/connector/message/state/OneThread.hpp>

namespace ferry::detail {

/// The letters that have arrived and that no call has taken yet. A letter that a call has asked for before it came is kept for that call
/// alone (Expectation); only expect(), offer(), isExpected() and drop() concern such letters.
///
/// Ownership: borrows the check of the calling thread.
class KeptLetters {
public:
    explicit KeptLetters(OneThread& thread) : thread_(thread) {}
    KeptLetters(const KeptLetters&) = delete;
    KeptLetters& operator=(const KeptLetters&) = delete;

    /// Keeps a letter as the latest one. After a std::bad_alloc the caller still has it.
    void add(Letter&& letter) { letters_.add(std::move(letter)); }
    /// Gives the letter to the first expectation that wants it. False when none does. Letters of dropped expectations, which came before,
    /// go first to where they belong.
    bool offer(Letter& letter) {
        takeBack();
        return !expectations_.isEmpty() && expectations_.offer(letter);
    }
    bool isExpected(const Letter& letter) const { return expectations_.wants(letter); }

    /// Keeps letters for the expectation, those that have arrived and later ones, unless an earlier expectation wants them.
    void expect(const std::shared_ptr<Expectation>& expectation);

    /// Takes letters back from expectations that were dropped, on whatever thread, for other expectations and calls.
    void takeBack() {
        if (expectations_.isOneDropped()) [[unlikely]]
            settle();
    }
    /// How often letters were taken back. Such letters are no arrivals: a wait has to look for them.
    std::uint32_t takenBackCount() const noexcept { return takenBackCount_; }

    /// Takes out the oldest matching letter. Letters of expectations that were dropped count, too. Throws nothing that is due.
    std::optional<Letter> take(const Filter& filter) { return take(filter, OneThread::Call(thread_)); }
    /// Takes like the call before, within a call that lasts.
    std::optional<Letter> take(const Filter& filter, const OneThread::Call&) {
        if (!expectations_.isEmpty()) settle();
        return letters_.take(filter);
    }
    /// The oldest letter for which the predicate holds, if any. The letter stays. Letters of expectations that were dropped count, too.
    template <class Predicate>
    const Letter* peek(const Predicate& predicate) {
        const OneThread::Call call(thread_);
        if (!expectations_.isEmpty()) settle();
        return letters_.find(predicate);
    }
    template <class Wants>
    std::optional<Letter> takeIf(const Wants& wants) {
        return letters_.takeIf(wants);
    }
    /// The oldest letter for which the predicate holds, if any. The letter stays.
    template <class Predicate>
    const Letter* find(const Predicate& predicate) const {
        return letters_.find(predicate);
    }
    /// Hands over all letters for which wants(letter) holds (LetterQueue::handOver).
    template <class Wants, class Give>
    void handOver(const Wants& wants, const Give& give) {
        letters_.handOver(wants, give);
    }
    template <class Predicate>
    void removeIf(const Predicate& predicate) {
        letters_.removeIf(predicate);
    }
    /// Calls visit(letter) for each letter that no expectation has got, the oldest first.
    template <class Visit>
    void forEach(const Visit& visit) const {
        letters_.forEach(visit);
    }
    /// The oldest letter that an expectation keeps and that matches; null: none does.
    const Letter* findExpected(const Filter& filter) const { return expectations_.find(filter); }
    std::size_t size() const noexcept { return letters_.size(); }

    /// Removes all letters for which the predicate holds, expected ones too. An expectation that loses its letters may then take others
    /// that have come meanwhile.
    template <class Predicate>
    void drop(const Predicate& isOver) {
        letters_.removeIf(isOver);
        expectations_.forget(isOver);
        giveToExpectations();
    }

private:
    void settle();
    void giveToExpectations();

    OneThread& thread_;
    LetterQueue letters_;
    Expectations expectations_;
    std::uint32_t takenBackCount_ = 0;
};

}    // namespace ferry::detail
