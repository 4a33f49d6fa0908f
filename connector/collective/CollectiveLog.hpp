#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/message/Envelope.hpp>

namespace ferry {

/// The collectives that a rank has entered last, and the steps of those that it has not entered yet: notices a step of another rank that is
/// in another collective in their place. Each question is answered by a look at one place.
class CollectiveLog {
public:
    /// A step of a collective that came from another rank.
    struct Step {
        int from = -1;
        Envelope envelope{};
    };

    /// This rank enters the collective: a step of another one in its place that came before, if any.
    std::optional<Step> enter(const Envelope& entered);

    /// A step has arrived: whether it belongs to another collective than the one that this rank has entered under the same number, in the
    /// same region. One whose number is to come is kept for enter().
    bool noteArrival(const Step& step);

    /// Whether this rank has entered that collective, as far back as it remembers.
    bool hasEntered(const Envelope& step) const noexcept;

    /// Forgets the steps whose regions the predicate names.
    template <class Predicate>
    void forget(Predicate isOver) {
        std::erase_if(ahead_, [&isOver](const auto& place) { return isOver(place.first.first); });
    }

    /// How many numbers to come are known of.
    std::size_t aheadCount() const noexcept { return ahead_.size(); }

    /// The mismatch between a step and the collective that this rank has entered: another collective, or values of another type.
    CollectiveMismatch mismatch(int rank, const Step& step) const;

private:
    static constexpr std::size_t Remembered = 64;

    /// Region and number.
    using Place = std::pair<std::int32_t, std::int32_t>;
    /// Two steps that differ: one of them is wrong, whatever this rank enters.
    struct Ahead {
        Step first;
        std::optional<Step> other{};
    };

    Envelope& entryOf(std::int32_t number) noexcept { return entered_[static_cast<std::uint32_t>(number) % Remembered]; }
    const Envelope& entryOf(std::int32_t number) const noexcept { return entered_[static_cast<std::uint32_t>(number) % Remembered]; }
    bool isToCome(const Envelope& step) const noexcept;

    std::array<Envelope, Remembered> entered_{};
    Envelope latest_{};
    std::map<Place, Ahead> ahead_;
};

}    // namespace ferry
