#include <chrono>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

// No rank is lost here. tests/simulation/SurvivorsTest.cpp and tests/framework/survivors have losses.

TEST_CASE("shrink: without a loss the new connector has all ranks in the old order, and may outlive the one that made it") {
    onRanks([](Connector& c) {
        std::unique_ptr<Connector> rest = c.shrink();
        for (int round = 0; round < 3; ++round) {
            CHECK(rest->rank() == c.rank());
            CHECK(rest->size() == c.size());
            CHECK(rest->allReduce(rest->rank(), Sum{}) == c.size() * (c.size() - 1) / 2);
            CHECK(rest->guarded([&] { return rest->broadcast(rest->rank() == 0 ? round : -1); }) == round);
            rest = rest->shrink();
        }
        checkUsable(c);
    });
}

TEST_CASE("shrink: a group that counts its ranks in another order keeps that order") {
    onRanks([](Connector& c) {
        const auto group = c.split(c.rank() % 2, -c.rank());
        const auto rest = group->shrink();
        CHECK(rest->rank() == group->rank());
        CHECK(rest->size() == group->size());
        for (int rank = 0; rank < rest->size(); ++rank) CHECK(rest->rankInJob(rank) == group->rankInJob(rank));
        CHECK(rest->allReduce(1, Sum{}) == group->size());
        checkUsable(c);
    });
}

TEST_CASE("shrink: a message that was sent on the old connector is not received on the new one") {
    onRanks([](Connector& c) {
        c.send(nextRank(c), std::string("old"));
        const auto rest = c.shrink();
        rest->send(nextRank(*rest), std::string("new"));
        CHECK(rest->receive<std::string>(previousRank(*rest)) == "new");
        CHECK(c.receive<std::string>(previousRank(c)) == "old");
    });
}

TEST_CASE("shrink: a guarded region refuses it") {
    onRanks([](Connector& c) {
        try {
            c.guarded([&c] { static_cast<void>(c.shrink()); });
            CHECK(false);
        } catch (const ExceptionList& failures) {
            CHECK(failures.front().as<UsageError>() != nullptr);
        }
        checkUsable(c);
    });
}

TEST_CASE("shrink: after its deadline a further call goes on with the same agreement") {
    onRanks(
        [](Connector& c) {
            if (c.rank() == 0) {
                CHECK_THROWS_AS(static_cast<void>(c.shrink(Deadline::in(1ms))), TimeoutError);
                for (int rank = 1; rank < c.size(); ++rank) c.send(rank, true);
            } else {
                CHECK(c.receive<bool>(0));
            }
            const auto rest = c.shrink();
            CHECK(rest->allReduce(1, Sum{}) == c.size());
            checkUsable(c);
        },
        2);
}
