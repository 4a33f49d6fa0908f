#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/tests/simulation/PlantedBugs.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include <ferry/tests/simulation/Buggy.hpp>

namespace ferry::test {

namespace {

/// Never reports the loss of a rank.
class HidesLosses final : public TransportDecorator {
public:
    HidesLosses(std::unique_ptr<detail::Transport> inner, std::uint64_t) : TransportDecorator(std::move(inner)) {}
    std::optional<detail::Loss> nextLoss() override {
        static_cast<void>(TransportDecorator::nextLoss());
        return std::nullopt;
    }
};

/// Drops one letter with tasks after a loss, so that these tasks are forgotten.
class ForgetsTasksAfterLoss final : public TransportDecorator {
public:
    ForgetsTasksAfterLoss(std::unique_ptr<detail::Transport> inner, std::uint64_t) : TransportDecorator(std::move(inner)) {}
    std::optional<detail::Loss> nextLoss() override {
        std::optional<detail::Loss> loss = TransportDecorator::nextLoss();
        isDue_ = isDue_ || loss.has_value();
        return loss;
    }
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        const bool isOfTasks =
            ints.size() >= detail::Envelope::sizeInts && ints.ints()[0] == static_cast<std::int32_t>(detail::JobKind::Request);
        if (isOfTasks && std::exchange(isDue_, false)) return;
        TransportDecorator::startSend(to, channel, std::move(ints));
    }

private:
    bool isDue_ = false;
};

/// Takes one reply for the reply to the next task.
class MistakesOneReply final : public Buggy {
public:
    using Buggy::Buggy;
    std::optional<detail::Packet> poll() override {
        constexpr std::size_t numberAt = detail::Envelope::sizeInts + 1;
        std::optional<detail::Packet> packet = TransportDecorator::poll();
        if (packet && isOfKind(packet->ints, detail::JobKind::Response) && packet->ints.size() > numberAt && occasion_.isNow())
            put(packet->ints, numberAt, packet->ints.ints()[numberAt] + 1);
        return packet;
    }
};

/// Reports the loss of the master, though the master lives.
class LosesTheMaster final : public Buggy {
public:
    using Buggy::Buggy;
    std::optional<detail::Loss> nextLoss() override {
        if (rank() != 0 && occasion_.isNow()) return detail::Loss{0, "is taken for dead"};
        return TransportDecorator::nextLoss();
    }
};

}    // namespace

const std::vector<PlantedBug>& lossBugs() {
    static const std::vector<PlantedBug> bugs{
        {"nobody is told of a loss", plantBug<HidesLosses>},
        {"a task is forgotten after a loss", plantBug<ForgetsTasksAfterLoss>},
        {"a reply is taken for that to another task", plantBug<MistakesOneReply>},
        {"a slave takes the master for dead", plantBug<LosesTheMaster>},
    };
    return bugs;
}

}    // namespace ferry::test
