#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/tests/simulation/TransportDecorator.hpp>

// Common parts of the transports that make a mistake.

namespace ferry::test {

/// The moment of a mistake. The seed chooses one rank, and one of the first few occasions on this rank.
class Occasion {
public:
    Occasion(const detail::Transport& transport, std::uint64_t seed) {
        constexpr std::uint64_t apartFromTheNetwork = 0xb06;
        constexpr std::uint64_t occasionCount = 12;
        SeededRandom random(seed ^ apartFromTheNetwork);
        isHere_ = random.below(static_cast<std::uint64_t>(transport.size())) == static_cast<std::uint64_t>(transport.rank());
        left_ = random.below(occasionCount);
    }

    /// Whether this rank makes the mistake.
    bool isHere() const noexcept { return isHere_; }
    /// Whether this occasion is the chosen one. Call this once at each occasion.
    bool isNow() noexcept { return isHere_ && left_-- == 0; }
    /// Whether the chosen occasion has passed.
    bool isOver() const noexcept { return isHere_ && left_ > UINT64_MAX / 2; }

private:
    bool isHere_ = false;
    std::uint64_t left_ = 0;
};

class Buggy : public TransportDecorator {
public:
    Buggy(std::unique_ptr<detail::Transport> inner, std::uint64_t seed) : TransportDecorator(std::move(inner)), occasion_(*this, seed) {}

protected:
    static bool isOfKind(const IntBuffer& ints, detail::MessageKind kind) {
        return ints.size() >= detail::Envelope::sizeInts && ints.ints()[0] == static_cast<std::int32_t>(kind);
    }
    /// Changes one int of a packet.
    static void put(IntBuffer& ints, std::size_t place, std::int32_t value) { ints.data()[place] = value; }

    Occasion occasion_;
};

template <detail::MessageKind Lost>
class LosesOneOfKind final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (channel == detail::Channel::Control && isOfKind(ints, Lost) && occasion_.isNow()) return;
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

template <class Bug>
std::unique_ptr<detail::Transport> plantBug(std::unique_ptr<detail::Transport> transport, std::uint64_t seed) {
    return std::make_unique<Bug>(std::move(transport), seed);
}

}    // namespace ferry::test
