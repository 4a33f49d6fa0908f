#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>

namespace ferry::detail {

/// Letters that arrived before somebody waited for them, in the order of arrival.
class LetterQueue {
public:
    /// Adds a letter at the end. After a std::bad_alloc the caller still has it.
    void add(Letter&& letter) { letters_.push_back(std::move(letter)); }

    /// Puts a letter back that was taken out: after older letters of the same rank, and before all others. After a std::bad_alloc the
    /// caller still has it.
    void putBack(Letter&& letter) {
        letters_.push_front(std::move(letter));
        const Letter& back = letters_.front();
        const auto isOlder = [&back](const Letter& other) {
            return other.from == back.from && comesBefore(other.envelope.clock, back.envelope.clock);
        };
        const auto older = std::find_if(letters_.rbegin(), std::prev(letters_.rend()), isOlder).base();
        std::rotate(letters_.begin(), std::next(letters_.begin()), older);
    }

    /// Takes out the oldest letter that matches, if any.
    std::optional<Letter> take(const Filter& filter) {
        return takeIf([&filter](const Letter& letter) { return filter.matches(letter); });
    }

    /// Takes out the oldest letter for which wants(letter) holds, if any.
    template <class Wants>
    std::optional<Letter> takeIf(const Wants& wants) {
        if (letters_.empty()) return std::nullopt;
        const auto match = std::find_if(letters_.begin(), letters_.end(), wants);
        if (match == letters_.end()) return std::nullopt;
        std::optional<Letter> letter(std::move(*match));
        letters_.erase(match);
        return letter;
    }

    /// Hands over all letters for which wants(letter) holds, the oldest first. When give(Letter&&) throws, the queue keeps that letter.
    template <class Wants, class Give>
    void handOver(const Wants& wants, const Give& give) {
        for (auto letter = letters_.begin(); letter != letters_.end();) {
            if (!wants(std::as_const(*letter))) {
                ++letter;
                continue;
            }
            give(std::move(*letter));
            letter = letters_.erase(letter);
        }
    }

    /// Removes all letters for which the predicate holds.
    template <class Predicate>
    void removeIf(Predicate predicate) {
        std::erase_if(letters_, predicate);
    }

    /// The oldest letter for which the predicate holds, if any. The letter stays in the queue.
    template <class Predicate>
    const Letter* find(Predicate predicate) const {
        const auto match = std::find_if(letters_.begin(), letters_.end(), predicate);
        return match != letters_.end() ? &*match : nullptr;
    }

    /// Calls visit(letter) for each letter, the oldest first.
    template <class Visit>
    void forEach(const Visit& visit) const {
        for (const Letter& letter : letters_) visit(letter);
    }

    std::size_t size() const noexcept { return letters_.size(); }

private:
    std::deque<Letter> letters_;
};

}    // namespace ferry::detail
