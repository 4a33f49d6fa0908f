#include <ferry/tests/simulation/PlantedBugs.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/tests/simulation/Buggy.hpp>

namespace ferry::test {

namespace {

template <detail::Channel Lost>
class LosesOnePacket final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (channel == Lost && occasion_.isNow()) return;
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

class LosesAllDataFromSomewhereOn final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (channel == detail::Channel::Data && (occasion_.isOver() || occasion_.isNow())) return;
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

class DeliversOneTwice final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (occasion_.isNow()) TransportDecorator::startSend(to, channel, ints);
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

/// Holds one packet back until the next one has been sent.
class SwapsTwo final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (channel == detail::Channel::Data && !held_ && occasion_.isNow()) {
            heldFor_ = to;
            held_ = std::move(ints);
            return;
        }
        TransportDecorator::startSend(to, channel, std::move(ints));
        sendHeld();
    }
    void idle(std::chrono::microseconds atMost) override {
        sendHeld();
        TransportDecorator::idle(atMost);
    }

private:
    void sendHeld() {
        if (held_) TransportDecorator::startSend(heldFor_, detail::Channel::Data, *std::exchange(held_, std::nullopt));
    }

    int heldFor_ = -1;
    std::optional<IntBuffer> held_;
};

/// A farewell overtakes the last data packet to the same rank, and does not count it.
class FarewellOvertakes final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (channel == detail::Channel::Control || !occasion_.isHere()) return TransportDecorator::startSend(to, channel, std::move(ints));
        if (isOfKind(ints, detail::MessageKind::Left)) {
            if (kept_ && keptFor_ == to) --ints.data()[countAt];
            TransportDecorator::startSend(to, channel, std::move(ints));
            return sendKept();
        }
        sendKept();
        keptFor_ = to;
        kept_ = std::move(ints);
    }
    std::optional<detail::Packet> poll() override {
        sendKept();
        return TransportDecorator::poll();
    }

private:
    void sendKept() {
        if (kept_) TransportDecorator::startSend(keptFor_, detail::Channel::Data, *std::exchange(kept_, std::nullopt));
    }

    static constexpr std::size_t countAt = 2;    ///< index in an envelope

    int keptFor_ = -1;
    std::optional<IntBuffer> kept_;
};

class CorruptsKind final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (occasion_.isNow() && ints.size() > 0) *ints.data() ^= 1;
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

class CutsOneShort final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (ints.size() > detail::Envelope::sizeInts && occasion_.isNow()) {
            IntBuffer shorter;
            shorter.resizeUninitialized(ints.size() - 1);
            for (std::size_t i = 0; i + 1 < ints.size(); ++i) shorter.data()[i] = ints.ints()[i];
            ints = std::move(shorter);
        }
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

class SendsOneToAnotherRank final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        TransportDecorator::startSend(occasion_.isNow() ? (to + 1) % size() : to, channel, std::move(ints));
    }
};

class NamesAnotherSender final : public Buggy {
public:
    using Buggy::Buggy;
    std::optional<detail::Packet> poll() override {
        std::optional<detail::Packet> packet = TransportDecorator::poll();
        if (packet && occasion_.isNow()) packet->from = (packet->from + 1) % size();
        return packet;
    }
};

/// Delivers a packet only when the next one has come, like a transport that loses a wake-up.
class IsOnePacketBehind final : public Buggy {
public:
    using Buggy::Buggy;
    std::optional<detail::Packet> poll() override {
        std::optional<detail::Packet> packet = TransportDecorator::poll();
        if (!packet || !occasion_.isHere()) return packet;
        return std::exchange(behind_, std::move(packet));
    }

private:
    std::optional<detail::Packet> behind_;
};

/// Never reports that a packet has been delivered.
class HidesWhatIsTaken final : public Buggy {
public:
    using Buggy::Buggy;
    std::size_t undelivered(int to) const noexcept override {
        constexpr std::size_t many = 100;
        return occasion_.isHere() ? many : TransportDecorator::undelivered(to);
    }
};

/// Never reports that a packet has left.
class HidesWhatHasLeft final : public Buggy {
public:
    using Buggy::Buggy;
    std::size_t pendingSends() const noexcept override { return TransportDecorator::pendingSends() + (occasion_.isHere() ? 1 : 0); }
};

}    // namespace

const std::vector<PlantedBug>& plantedBugs() {
    static const std::vector<PlantedBug> bugs{
        {"one data packet is lost", plantBug<LosesOnePacket<detail::Channel::Data>>},
        {"one control packet is lost", plantBug<LosesOnePacket<detail::Channel::Control>>},
        {"an exception is lost", plantBug<LosesOneOfKind<detail::MessageKind::Exception>>},
        {"a stop is lost", plantBug<LosesOneOfKind<detail::MessageKind::Stop>>},
        {"a rank's leave is lost", plantBug<LosesOneOfKind<detail::MessageKind::Left>>},
        {"all data of a rank is lost from some packet on", plantBug<LosesAllDataFromSomewhereOn>},
        {"one packet is delivered twice", plantBug<DeliversOneTwice>},
        {"two packets of a sender change places", plantBug<SwapsTwo>},
        {"a farewell overtakes what was sent before and does not count it", plantBug<FarewellOvertakes>},
        {"the kind of one packet is damaged", plantBug<CorruptsKind>},
        {"one packet is cut short", plantBug<CutsOneShort>},
        {"one packet goes to another rank", plantBug<SendsOneToAnotherRank>},
        {"one packet names another sender", plantBug<NamesAnotherSender>},
        {"a wake-up is lost", plantBug<IsOnePacketBehind>},
        {"a sender never hears that its packets are taken", plantBug<HidesWhatIsTaken>},
        {"a sender never hears that its packets have left", plantBug<HidesWhatHasLeft>},
    };
    return bugs;
}

}    // namespace ferry::test
