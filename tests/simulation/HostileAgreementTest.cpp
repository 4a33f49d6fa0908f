#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/collective/Operators.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/simulation/Seeds.hpp>
#include <ferry/tests/simulation/TransportDecorator.hpp>

using namespace ferry;
using namespace ferry::test;

namespace hostileagreementtest {

/// What happens to one letter of the agreement of one rank.
struct Damage {
    int rank = 0;
    int letter = 0;             ///< counted from 0
    std::size_t place = 0;      ///< of an int behind the kind; beyond the end: the letter is one int longer
    std::int32_t change = 0;    ///< bits; 0: the letter ends before this place
};

class DamagesAgreement final : public TransportDecorator {
public:
    DamagesAgreement(std::unique_ptr<Transport> inner, const Damage& damage) : TransportDecorator(std::move(inner)), damage_(damage) {}

    void startSend(int to, Channel channel, IntBuffer ints) override {
        const bool isOfAgreement = ints.ints()[0] == static_cast<std::int32_t>(MessageKind::Agreement);
        if (isOfAgreement && rank() == damage_.rank && damage_.letter-- == 0) ints = damaged(ints.ints());
        TransportDecorator::startSend(to, channel, std::move(ints));
    }

private:
    IntBuffer damaged(std::span<const std::int32_t> ints) const {
        std::vector<std::int32_t> changed(ints.begin(), ints.end());
        if (damage_.place >= changed.size()) {
            changed.push_back(damage_.change);
        } else if (damage_.change == 0) {
            changed.resize(damage_.place);
        } else {
            changed[damage_.place] ^= damage_.change;
        }
        IntBuffer buffer;
        IntWriter(buffer).writeInts(changed);
        return buffer;
    }

    Damage damage_;
};

/// Whether the connector still works; a program goes on after a list, and ends with anything else.
bool runRegions(Connector& c) {
    for (int round = 0; round < 4; ++round) {
        try {
            c.guarded([&] {
                c.barrier();
                if (round % 2 == 1 && c.rank() == c.size() - 1) throw std::runtime_error("planned");
                c.allReduce(1, Sum{});
                c.guarded([&] { c.barrier(); });
            });
        } catch (const ExceptionList&) {}
        if (c.allReduce(1, Sum{}) != c.size()) return false;
    }
    return true;
}

SimulationOf<bool> runWith(int rankCount, std::uint64_t seed, const Damage& damage) {
    SimulationOptions options;
    options.seed = seed;
    options.decorate = [&damage](std::unique_ptr<Transport> transport) {
        return std::make_unique<DamagesAgreement>(std::move(transport), damage);
    };
    return simulate(rankCount, options, runRegions);
}

/// A region that fails because of what came, and a connector that ends, are both well.
void checkEnds(const SimulationOf<bool>& result) {
    REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
    for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
        const Simulation::Ending& ending = result.ranks[rank];
        if (ending.how != RankEnd::Threw) {
            REQUIRE(result.values[rank] == true);
            continue;
        }
        const Thrown thrown(ending.exception);
        const bool isStopped = thrown.as<SerializationError>() != nullptr || thrown.as<Terminated>() != nullptr;
        REQUIRE_MESSAGE((isStopped || thrown.as<RankHasLeft>() != nullptr), result.describe());
    }
}

}    // namespace hostileagreementtest

using namespace hostileagreementtest;

TEST_CASE("Hostile agreement: a damaged letter of the end of a region is an error on all ranks, and hangs nobody") {
    constexpr int rankCount = 5;
    constexpr std::size_t mostInts = 14;
    for (int rank = 0; rank < rankCount; ++rank) {
        for (int letter = 0; letter < 6; ++letter) {
            for (std::size_t place = 1; place <= mostInts; ++place) {
                if (place == Envelope::clockAt) continue;    // believed: it says nothing that can be checked
                for (const std::int32_t change : {0, 1, 0x100, 0x40000000}) {
                    if (change == 0 && place < Envelope::sizeInts) continue;    // no letter any more: as if it were lost
                    const Damage damage{rank, letter, place, change};
                    CAPTURE(rank);
                    CAPTURE(letter);
                    CAPTURE(place);
                    CAPTURE(change);
                    checkEnds(runWith(rankCount, static_cast<std::uint64_t>(letter) + 1, damage));
                }
            }
        }
    }
}

TEST_CASE("Hostile agreement: after a report that could not be read the connector is usable") {
    for (const std::size_t place : {std::size_t{5}, std::size_t{7}, std::size_t{200}}) {
        const auto result = runWith(4, 3, Damage{3, 0, place, 0x7000});
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        for (const auto& isUsable : result.values) REQUIRE(isUsable == true);
    }
}
