#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/message/Envelope.hpp>

namespace ferry {

/// The collectives that a rank has entered last: notices a step of another rank that is in another collective in their place.
class CollectiveLog {
public:
    void enter(const Envelope& entered) noexcept { placeOf(entered.number) = entered; }

    /// Whether the step belongs to another collective than the one that this rank has entered under the same number, in the same region.
    bool contradicts(const Envelope& step) const noexcept;

    /// Whether this rank has entered that collective, as far back as it remembers.
    bool hasEntered(const Envelope& step) const noexcept;

    /// What is wrong about such a step.
    CollectiveMismatch mismatch(int rank, const Letter& step) const;

private:
    static constexpr std::size_t Remembered = 64;

    Envelope& placeOf(std::int32_t number) noexcept { return entered_[static_cast<std::uint32_t>(number) % Remembered]; }
    const Envelope& placeOf(std::int32_t number) const noexcept { return entered_[static_cast<std::uint32_t>(number) % Remembered]; }

    std::array<Envelope, Remembered> entered_;
};

}    // namespace ferry
