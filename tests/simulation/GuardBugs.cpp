#include <algorithm>

#include <ferry/connector/region/Agreement.hpp>
#include <ferry/tests/simulation/Buggy.hpp>
#include <ferry/tests/simulation/PlantedBugs.hpp>

namespace ferry::test {

namespace {

// Keys of letters of the agreement at the end of a guarded region; see docs/wire-format.md.
constexpr std::int32_t reportKey = 1;
constexpr std::int32_t verdictKey = 2;
constexpr std::size_t failureCountAt = detail::Envelope::sizeInts + 6;

bool isAgreement(const IntBuffer& ints, std::int32_t key) {
    return ints.size() > failureCountAt && ints.ints()[0] == static_cast<std::int32_t>(detail::MessageKind::Agreement) &&
           ints.ints()[1] == key;
}

template <std::int32_t Key>
class LosesOneOfAgreement final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (isAgreement(ints, Key) && occasion_.isNow()) return;
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

template <std::int32_t Key>
class SendsOneOfAgreementTwice final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (isAgreement(ints, Key) && occasion_.isNow()) TransportDecorator::startSend(to, channel, ints);
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

/// Removes once the failures from an agreement letter.
template <std::int32_t Key>
class LeavesOutFailures final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (isAgreement(ints, Key) && ints.ints()[failureCountAt] > 0 && occasion_.isNow()) {
            IntBuffer without;
            without.resizeUninitialized(failureCountAt + 2);
            std::copy_n(ints.ints().begin(), failureCountAt, without.data());
            put(without, failureCountAt, 0);
            put(without, failureCountAt + 1,
                detail::agreementCheck(
                    without.ints().subspan(detail::Envelope::sizeInts, failureCountAt + 1 - detail::Envelope::sizeInts)));
            ints = std::move(without);
        }
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

/// A letter loses the mark of the region in which it was sent.
class ForgetsTheRegion final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        const bool isOfUser = isOfKind(ints, detail::MessageKind::Object) || isOfKind(ints, detail::MessageKind::Value);
        if (isOfUser && ints.ints()[detail::Envelope::regionAt] != 0 && occasion_.isNow()) put(ints, detail::Envelope::regionAt, 0);
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

/// All letters except those of the agreement carry the clock 0.
class ForgetsTheTime final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (occasion_.isHere() && ints.size() >= detail::Envelope::sizeInts && !isOfKind(ints, detail::MessageKind::Agreement))
            put(ints, detail::Envelope::clockAt, 0);
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

/// Wakes another rank for a region that has not failed.
class NamesTheNextRegion final : public Buggy {
public:
    using Buggy::Buggy;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        constexpr std::size_t numberAt = 2;
        if (isOfKind(ints, detail::MessageKind::RegionFailed) && ints.ints()[numberAt] != 0 && occasion_.isNow())
            put(ints, numberAt, ints.ints()[numberAt] + 1);
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

}    // namespace

const std::vector<PlantedBug>& guardBugs() {
    static const std::vector<PlantedBug> bugs{
        {"a rank is not told that a region has failed", plantBug<LosesOneOfKind<detail::MessageKind::RegionFailed>>},
        {"a rank is told of another region than has failed", plantBug<NamesTheNextRegion>},
        {"a report on a region is lost", plantBug<LosesOneOfAgreement<reportKey>>},
        {"a verdict on a region is lost", plantBug<LosesOneOfAgreement<verdictKey>>},
        {"a report on a region comes twice", plantBug<SendsOneOfAgreementTwice<reportKey>>},
        {"a verdict on a region comes twice", plantBug<SendsOneOfAgreementTwice<verdictKey>>},
        {"a report leaves out the failures", plantBug<LeavesOutFailures<reportKey>>},
        {"a verdict leaves out the failures", plantBug<LeavesOutFailures<verdictKey>>},
        {"a letter of a region is taken for one of none", plantBug<ForgetsTheRegion>},
        {"a rank does not hand on the logical time", plantBug<ForgetsTheTime>},
    };
    return bugs;
}

}    // namespace ferry::test
