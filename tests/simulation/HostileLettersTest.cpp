#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/state/Standstill.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/simulation/Seeds.hpp>
#include <ferry/tests/simulation/TransportDecorator.hpp>
#include <ferry/tests/support/Sanitizers.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace hostileletterstest {

/// A damage to one letter of a kind, sent by one rank.
struct Damage {
    detail::MessageKind kind = detail::MessageKind::Agreement;
    int rank = 0;
    int letter = 0;             ///< index of the letter among those of this kind, counted from 0
    std::size_t place = 0;      ///< index of an int behind the kind; beyond the end, the letter gets one more int
    std::int32_t change = 0;    ///< bits to invert; 0: the letter is cut before this int
};

class DamagesLetters final : public TransportDecorator {
public:
    DamagesLetters(std::unique_ptr<detail::Transport> inner, const Damage& damage)
        : TransportDecorator(std::move(inner)),
          damage_(damage) {}

    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        const bool isOfKind = ints.ints()[0] == static_cast<std::int32_t>(damage_.kind);
        if (isOfKind && rank() == damage_.rank && damage_.letter-- == 0) ints = damaged(ints.ints());
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

/// Runs regions. Returns whether the connector still works. The program catches an ExceptionList; any other exception ends it.
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

void beBusy(Connector& c, std::chrono::milliseconds time) {
    try {
        c.receive<double>(c.rank(), Deadline::in(time));
    } catch (const TimeoutError&) {}
}

/// Runs collectives with one late rank. Some ranks give up at their deadlines.
bool runLateCollectives(Connector& c) {
    const detail::DeadlineScope limit = c.limitWaits(Deadline::in(10min));
    for (int round = 0; round < 4; ++round) {
        try {
            if (c.rank() == round % c.size()) beBusy(c, 100ms);
            c.allReduce(1, Sum{}, c.rank() % 2 == 0 ? Deadline::in(50ms) : Deadline::never());
        } catch (const TimeoutError&) {}
    }
    return c.allReduce(1, Sum{}) == c.size();
}

/// Waits for messages that no rank sends.
bool runDeadlocks(Connector& c) {
    c.findDeadlocksAfter(1ms);
    for (int round = 0; round < 2; ++round) {
        try {
            c.receive<double>((c.rank() + 1) % c.size());
        } catch (const Deadlock&) {}
    }
    return true;
}

/// Runs groups and their regions. Does not check values, because the damage may have changed them.
bool runGroups(Connector& c) {
    const detail::DeadlineScope limit = c.limitWaits(Deadline::in(10min));
    const auto group = c.split(c.rank() % 2);
    for (int round = 0; round < 3; ++round) {
        try {
            c.guarded([&] {
                group->allReduce(1, Sum{});
                group->guarded([&] {
                    if (round == 1 && group->rank() == 0) throw std::runtime_error("planned");
                    group->barrier();
                });
            });
        } catch (const ExceptionList&) {}
        group->barrier();
    }
    return true;
}

SimulationOf<bool> runWith(int rankCount, std::uint64_t seed, const Damage& damage, bool (*program)(Connector&)) {
    SimulationOptions options;
    options.seed = seed;
    options.maxCalls = 20'000;
    options.decorate = [&damage](std::unique_ptr<detail::Transport> transport) {
        return std::make_unique<DamagesLetters>(std::move(transport), damage);
    };
    return simulate(rankCount, options, program);
}

/// Checks the ends of the ranks. A region may fail because of the damage, and a connector may end: both are correct.
void checkEndings(const SimulationOf<bool>& result) {
    for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
        const detail::Simulation::Ending& ending = result.ranks[rank];
        if (ending.how != detail::RankEnd::Threw) {
            REQUIRE(result.values[rank] == true);
            continue;
        }
        const detail::Thrown thrown(ending.exception);
        const bool isRefused = thrown.as<SerializationError>() != nullptr || thrown.as<CollectiveMismatch>() != nullptr;
        const bool isStranger = thrown.as<UnknownException>() != nullptr;    // the damage has changed the name of the class
        const bool isStopped = isRefused || isStranger || thrown.as<Terminated>() != nullptr;
        const bool isAlone = thrown.as<RankHasLeft>() != nullptr || thrown.as<TimeoutError>() != nullptr;
        REQUIRE_MESSAGE((isStopped || isAlone), result.describe());
    }
}

void checkEnds(const SimulationOf<bool>& result) {
    REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
    checkEndings(result);
}

/// A rank with wrong answers can hide a deadlock from the search. Then the ranks wait for ever, as without the search.
void checkEndsOrWaits(const SimulationOf<bool>& result) {
    if (result.stuckText.empty()) checkEndings(result);
}

constexpr int rankCount = 5;

/// Damages each int in each of the first letters of the kind, on each rank. A run with few schedules damages only some of the ints.
void checkAllDamages(detail::MessageKind kind, int letterCount, std::size_t mostInts, bool (*program)(Connector&),
                     void (*check)(const SimulationOf<bool>&) = checkEnds) {
    const std::size_t stride = Seeds::areMany() ? 1 : isSanitized ? 36 : 4;
    for (int rank = 0; rank < rankCount; ++rank) {
        for (int letter = 0; letter < letterCount; ++letter) {
            for (std::size_t place = 1 + static_cast<std::size_t>(rank + letter) % stride; place <= mostInts; place += stride) {
                if (place == detail::Envelope::clockAt) continue;    // receivers believe the clock, since nothing in it can be checked
                for (const std::int32_t change : {0, 1, 0x100, 0x40000000}) {
                    if (change == 0 && place < detail::Envelope::sizeInts) continue;    // the rest would be no letter, like a lost one
                    CAPTURE(rank);
                    CAPTURE(letter);
                    CAPTURE(place);
                    CAPTURE(change);
                    const Damage damage{kind, rank, letter, place, change};
                    check(runWith(rankCount, static_cast<std::uint64_t>(letter) + 1, damage, program));
                }
            }
        }
    }
}

}    // namespace hostileletterstest

using namespace hostileletterstest;

TEST_CASE("Hostile letters: a damaged letter of the end of a region is an error on all ranks, and hangs nobody") {
    checkAllDamages(detail::MessageKind::Agreement, 6, 14, runRegions);
}

TEST_CASE("Hostile letters: a damaged notice that a collective was given up is an error, or costs a wait until its deadline") {
    checkAllDamages(detail::MessageKind::GivenUp, 4, 40, runLateCollectives);
}

TEST_CASE("Hostile letters: damage in the search for deadlocks is an error, or keeps it from finding one") {
    checkAllDamages(detail::MessageKind::Standstill, 4, 24, runDeadlocks, checkEndsOrWaits);
}

TEST_CASE("Hostile letters: a damaged letter of a group is an error, or costs a wait until its deadline") {
    checkAllDamages(detail::MessageKind::Group, 8, 14, runGroups);
}

TEST_CASE("Hostile letters: after a report that could not be read the connector is usable") {
    for (const std::size_t place : {std::size_t{5}, std::size_t{7}, std::size_t{200}}) {
        const auto result = runWith(4, 3, Damage{detail::MessageKind::Agreement, 3, 0, place, 0x7000}, runRegions);
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        for (const auto& isUsable : result.values) REQUIRE(isUsable == true);
    }
}
