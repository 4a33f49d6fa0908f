#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>

namespace ferry::detail {

/// The collectives that a rank has entered last, and the steps of collectives that the rank has not entered yet. The log notices when
/// another rank is in a different collective at the same place. Each query looks at one place only.
class CollectiveLog {
public:
    /// A step of a collective that came from another rank.
    struct Step {
        int from = -1;
        Envelope envelope{};
    };

    /// Notes that this rank enters the collective. Returns an earlier step of a different collective in its place, if one has come.
    std::optional<Step> enter(const Envelope& entered);

    /// Notes that a step has arrived. Returns true when this rank has entered a different collective under the same number, in the same
    /// region. A step whose number is still to come is kept for enter().
    bool noteArrival(const Step& step);

    /// Tells whether this rank has entered the step's collective, as far back as the log remembers.
    bool hasEntered(const Envelope& step) const noexcept;

    /// Forgets the steps of all regions for which the predicate is true.
    template <class Predicate>
    void forget(Predicate isOver) {
        std::erase_if(ahead_, [&isOver](const auto& place) { return isOver(place.first.first); });
    }

    /// The number of collectives that this rank has not entered yet and of which a step has come.
    std::size_t aheadCount() const noexcept { return ahead_.size(); }

    /// Makes the error for a step that does not fit this rank's collective: another collective, or values of another type.
    CollectiveMismatch mismatch(int rank, const Step& step) const;

private:
    static constexpr std::size_t Remembered = 64;

    /// Region and number of a collective.
    using Place = std::pair<std::int32_t, std::int32_t>;
    /// One step, or two that differ. Of two steps one is wrong, whatever collective this rank enters.
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

}    // namespace ferry::detail
