#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/support/Everywhere.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace grouptest {

/// Splits the ranks into a group of even and a group of odd ranks.
std::unique_ptr<Connector> parityOf(Connector& c) { return c.split(c.rank() % 2); }

int sumOfRanks(Connector& c) { return c.allReduce(c.rank(), Sum{}); }

int sumBelow(int count) { return count * (count - 1) / 2; }

/// Uses messages, collectives and a region, first in the group and then in the connector around it.
void checkBothUsable(Connector& c, Connector& group) {
    for (int round = 0; round < 2; ++round) {
        group.send(nextRank(group), Ping(group.rank()));
        CHECK(group.receive<Ping>(previousRank(group)).number == previousRank(group));
        CHECK(sumOfRanks(group) == sumBelow(group.size()));
        CHECK(group.guarded([&] { return group.allGather(group.rank()).size(); }) == static_cast<std::size_t>(group.size()));
    }
    checkUsable(c);
}

struct Link {
    int value = 0;
    Link* next = nullptr;
    FERRY_FIELDS(value, next)
};

}    // namespace grouptest

using namespace grouptest;

TEST_CASE("split: ranks of one colour are counted by their keys") {
    onRanks([](Connector& c) {
        const auto group = c.split(c.rank() % 2, -c.rank());
        const int count = (c.size() + 1 - c.rank() % 2) / 2;
        CHECK(group->size() == count);
        CHECK(group->rank() == count - 1 - c.rank() / 2);
        for (int rank = 0; rank < count; ++rank) CHECK(group->rankInJob(rank) == 2 * (count - 1 - rank) + c.rank() % 2);
        checkBothUsable(c, *group);
        const auto whole = c.split(7);
        CHECK(whole->size() == c.size());
        CHECK(whole->rank() == c.rank());
        checkBothUsable(c, *whole);
    });
}

TEST_CASE("split: a rank without a colour is in no group") {
    onRanks([](Connector& c) {
        const auto group = c.split(c.isMaster() ? std::nullopt : std::optional(1));
        CHECK((group == nullptr) == c.isMaster());
        if (group) CHECK(sumOfRanks(*group) == sumBelow(c.size() - 1));
        checkUsable(c);
    });
}

TEST_CASE("group: the ranks of a list, in its order, and null for the others") {
    onRanksAndSimulated(
        [](Connector& c) {
            std::vector<int> ranks;
            for (int rank = c.size() - 1; rank >= 0; rank -= 2) ranks.push_back(rank);
            const auto group = c.group(ranks);
            const auto place = std::find(ranks.begin(), ranks.end(), c.rank());
            REQUIRE((group == nullptr) == (place == ranks.end()));
            if (group) {
                CHECK(group->size() == static_cast<int>(ranks.size()));
                CHECK(group->rank() == static_cast<int>(place - ranks.begin()));
                CHECK(group->rankInJob(0) == c.size() - 1);
                group->send(nextRank(*group), Ping(group->rank()));
                CHECK(group->receive<Ping>(previousRank(*group)).number == previousRank(*group));
                CHECK(sumOfRanks(*group) == sumBelow(group->size()));
            }
            checkUsable(c);
            CHECK(c.group({}) == nullptr);
            if (c.size() < 4) return;
            const auto half = c.group(c.rank() < 2 ? std::vector<int>{1, 0} : std::vector<int>{2, 3});
            REQUIRE((half == nullptr) == (c.rank() > 3));
            if (!half) return;
            CHECK(half->size() == 2);
            CHECK(half->allGather(c.rank()) == (c.rank() < 2 ? std::vector<int>{1, 0} : std::vector<int>{2, 3}));
        },
        2);
}

TEST_CASE("group: wrong lists are refused on every rank") {
    onRanksAndSimulated(
        [](Connector& c) {
            CHECK_THROWS_WITH_AS(c.group({0, c.size()}), doctest::Contains("does not exist"), UsageError);
            CHECK_THROWS_WITH_AS(c.group({0, 0}), "the group of rank 0 lists rank 0 twice", UsageError);
            if (c.rank() == 0) {
                CHECK_THROWS_AS(c.group({0, 1}), CollectiveMismatch);
            } else {
                CHECK_THROWS_WITH_AS(c.group({1, 0}), doctest::Contains("a group of the ranks 1, 0"), CollectiveMismatch);
            }
            checkUsable(c);
            const auto pair = c.group({1, 0});
            if (pair) CHECK(sumOfRanks(*pair) == 1);
        },
        2);
}

TEST_CASE("group: an exception in a region of the group, and in a region around, wakes its ranks") {
    onRanksAndSimulated(
        [](Connector& c) {
            const auto pair = c.group({1, 0});
            if (pair) {
                CHECK_THROWS_AS(pair->guarded([&] {
                    if (pair->rank() == 0) throw std::range_error("in the group");
                    pair->receive<int>();
                }),
                                ExceptionList);
            }
            CHECK_THROWS_AS(c.guarded([&] {
                if (c.rank() == 0) throw std::range_error("around");
                if (pair) pair->receive<int>();
                c.barrier();
            }),
                            ExceptionList);
            if (pair) CHECK(sumOfRanks(*pair) == 1);
            checkUsable(c);
        },
        2);
}

TEST_CASE("duplicate: its messages and collectives do not meet those of the connector") {
    onRanksAndSimulated([](Connector& c) {
        const auto own = c.duplicate();
        CHECK(own->rank() == c.rank());
        CHECK(own->size() == c.size());
        c.send(nextRank(c), 1);
        own->send(nextRank(c), 2);
        CHECK(own->receive<int>() == 2);
        CHECK(c.receive<int>() == 1);
        checkBothUsable(c, *own);
    });
}

TEST_CASE("splitByHost: ranks of one machine are together") {
    onRanks([](Connector& c) {
        const auto group = c.splitByHost();
        CHECK(group->size() == c.size());    // the tests run on one host
        checkBothUsable(c, *group);
    });
}

TEST_CASE("groups: messages of several groups, and of groups inside groups, do not mix") {
    onRanks([](Connector& c) {
        const auto parity = parityOf(c);
        const auto halves = c.split(c.rank() < c.size() / 2 ? 0 : 1);
        const auto inner = parity->split(parity->rank() / 2, -parity->rank());
        for (int round = 0; round < 3; ++round) {
            Connector* const all[] = {&c, parity.get(), halves.get(), inner.get()};
            for (Connector* one : all) one->send(nextRank(*one), std::to_string(one->size()) + " ranks");
            for (Connector* one : all) CHECK(one->receive<std::string>(previousRank(*one)) == std::to_string(one->size()) + " ranks");
            for (Connector* one : all) CHECK(sumOfRanks(*one) == sumBelow(one->size()));
        }
        CHECK(inner->rankInJob(inner->rank()) == c.rank());
    });
}

TEST_CASE("groups: a rank that waits outside of a group takes in what comes for it, and moves what it has posted there") {
    onRanks(
        [](Connector& c) {
            const auto group = c.split(0);
            std::vector<Link> chain(1000);
            for (std::size_t i = 0; i + 1 < chain.size(); ++i) chain[i].next = &chain[i + 1];
            Pending<void> posted = group->post(nextRank(*group), graph(chain.data(), 64));
            if (c.rank() % 2 == 0) c.barrier();
            const Graph<Link> arrived = group->receiveGraph<Link>(previousRank(*group));
            if (c.rank() % 2 == 1) c.barrier();
            posted.get();
            std::size_t count = 0;
            for (const Link* link = arrived.root(); link != nullptr; link = link->next) ++count;
            CHECK(count == chain.size());
        },
        2);
}

TEST_CASE("groups: large messages arrive") {
    onRanks([](Connector& c) {
        const auto group = parityOf(c);
        const std::vector<double> large(300'000, group->rank());
        group->send(nextRank(*group), large);
        const auto arrived = group->receive<std::vector<double>>(previousRank(*group));
        CHECK(arrived == std::vector<double>(300'000, previousRank(*group)));
    });
}

TEST_CASE("groups: a failure in a region of the connector wakes ranks that wait in groups") {
    onRanks([](Connector& c) {
        const auto group = c.split(0);
        for (int round = 0; round < 3; ++round) {
            const auto failures = failuresOf(c, [&] {
                sumOfRanks(*group);
                group->send(nextRank(*group), 41);    // this number must never be received
                if (group->rank() == lastRank(c)) throw std::runtime_error("planned");
                if (round == 0) group->barrier();
                if (round == 1) group->receive<std::string>(lastRank(c));
                if (round == 2) group->guarded([&] { sumOfRanks(*group); });
            });
            CHECK(failures.size() == 1);
            group->poll();
            CHECK_FALSE(detail::mailboxOf(*group).arrived().take(detail::Filter({detail::MessageKind::Value})).has_value());
            checkBothUsable(c, *group);
        }
    });
}

TEST_CASE("groups: a message sent in a group before a failed region of the connector can be received after the region") {
    onRanks([](Connector& c) {
        const auto group = c.split(0);
        group->send(nextRank(*group), 17);
        failuresOf(c, [&] {
            group->send(nextRank(*group), 18);
            throwOnLast(c);
            group->barrier();
        });
        group->send(nextRank(*group), 19);
        CHECK(group->receive<int>(previousRank(*group)) == 17);
        CHECK(group->receive<int>(previousRank(*group)) == 19);
    });
}

TEST_CASE("groups: regions of their own fail for their ranks only, and tell which ranks of the job have failed") {
    onRanks([](Connector& c) {
        const auto group = parityOf(c);
        const bool isOdd = c.rank() % 2 == 1;
        const int last = group->rankInJob(lastRank(*group));
        for (int round = 0; round < 3; ++round) {
            const auto failures = failuresOf(*group, [&] {
                if (isOdd) throwOnLast(*group);
                group->barrier();
            });
            REQUIRE(failures.size() == (isOdd ? 1 : 0));
            if (isOdd) CHECK(failures.front().ranks() == std::vector<int>{last});
            checkUsable(*group);
        }
        checkBothUsable(c, *group);
    });
}

TEST_CASE("groups: the list of a region of a group fails the region of the connector around it") {
    onRanks([](Connector& c) {
        const auto group = parityOf(c);
        const auto failures = failuresOf(c, [&] {
            group->guarded([&] {
                if (c.isMaster()) throw std::out_of_range("planned");
                group->barrier();
            });
            c.barrier();
        });
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().rank() == 0);
        checkBothUsable(c, *group);
    });
}

TEST_CASE("groups: a rank that waits in a call of the connector is woken by the failure of a region of its group") {
    onRanks(
        [](Connector& c) {
            const auto group = c.split(0);
            const auto failures = failuresOf(*group, [&] {
                throwOnLast(c);
                c.receive<std::string>(lastRank(c));    // no rank ever sends it
            });
            CHECK(failures.size() == 1);
            checkBothUsable(c, *group);
        },
        2);
}

TEST_CASE("groups: inside their regions, collectives and regions of more ranks are refused") {
    onRanks([](Connector& c) {
        const auto group = parityOf(c);
        group->guarded([&] {
            CHECK_THROWS_AS(c.barrier(), UsageError);
            CHECK_THROWS_AS(c.guarded([] {}), UsageError);
            CHECK_THROWS_AS(static_cast<void>(c.split(0)), UsageError);
            const auto inner = group->split(group->rank());
            inner->barrier();
        });
        checkBothUsable(c, *group);
    });
}

TEST_CASE("groups: a group that was made in a failed region is refused, and later groups work") {
    onRanks([](Connector& c) {
        for (int round = 0; round < 3; ++round) {
            std::unique_ptr<Connector> group;
            failuresOf(c, [&] {
                if (c.rank() == lastRank(c) && round == 1) throw std::runtime_error("before");
                group = parityOf(c);
                if (round == 2) group->send(nextRank(*group), 41);
                throw std::runtime_error("planned");
            });
            if (group) CHECK_THROWS_AS(group->barrier(), UsageError);
            const auto next = parityOf(c);
            checkBothUsable(c, *next);
        }
    });
}

TEST_CASE("groups: letters to a group that has ended are dropped") {
    onRanks([](Connector& c) {
        for (int round = 0; round < 3; ++round) {
            auto group = c.split(0);
            group->send(nextRank(*group), round);
            if (c.rank() % 2 == 0) group.reset();
            c.barrier();
            group.reset();
            checkUsable(c);
        }
        c.poll();
        CHECK_FALSE(
            detail::mailboxOf(c).arrived().take(detail::Filter({detail::MessageKind::Group, detail::MessageKind::Value})).has_value());
    });
}

TEST_CASE("groups: a group that outlives its connector throws an exception that says so") {
    onRanks([](Connector& c) {
        auto outer = c.split(0);
        auto inner = outer->split(0);
        inner->barrier();
        outer.reset();
        CHECK_THROWS_AS(inner->barrier(), UsageError);
        CHECK_THROWS_AS(inner->send(0, 1), UsageError);
        inner.reset();
        checkUsable(c);
    });
}

TEST_CASE("groups: deadlines of a call, of the group and of the connector count") {
    onRanks([](Connector& c) {
        const auto group = c.split(0);
        CHECK_THROWS_AS(group->receive<int>(AnyRank, Deadline::in(2ms)), TimeoutError);
        {
            const auto limit = group->limitWaits(Deadline::in(2ms));
            CHECK_THROWS_AS(group->receive<int>(), TimeoutError);
        }
        {
            const auto limit = c.limitWaits(Deadline::in(2ms));
            CHECK_THROWS_AS(group->receive<int>(), TimeoutError);
            const auto longer = group->limitWaits(Deadline::in(1h));
            CHECK_THROWS_AS(group->receive<int>(), TimeoutError);
        }
        checkBothUsable(c, *group);
    });
}

TEST_CASE("groups: a deadlock between a wait in a group and one outside of it is found") {
    onRanks(
        [](Connector& c) {
            const auto group = c.split(0, -c.rank());
            c.findDeadlocksAfter(2ms);
            for (int round = 0; round < 2; ++round) {
                try {
                    if (c.rank() == 0) {
                        c.receive<int>(1);
                    } else {
                        group->receive<int>(group->size() - 1);    // the last rank of the group is rank 0 of the job
                    }
                    FAIL_CHECK("the call returned");
                } catch (const Deadlock& deadlock) {
                    REQUIRE(deadlock.ranks().size() == static_cast<std::size_t>(c.size()));
                    CHECK(deadlock.ranks()[1].awaited.ranks == std::vector<int>{0});
                }
            }
            checkBothUsable(c, *group);
        },
        2);
}

TEST_CASE("groups: a deadlock in a group is found after failed regions of the connector around it") {
    onRanksAndSimulated(
        [](Connector& c) {
            const bool isMember = c.rank() < 2;
            const auto group = c.split(isMember ? std::optional(0) : std::nullopt);
            if (group) group->findDeadlocksAfter(2ms);
            for (int round = 0; round < 3; ++round) {
                const ExceptionList failures = failuresOf(c, [&] {
                    if (group) {
                        for (int letter = 0; letter <= 3 * group->rank(); ++letter) group->send(1 - group->rank(), letter);
                        if (group->rank() == round % 2) group->receive<int>(1 - group->rank());
                        c.guarded([&] { group->send(1 - group->rank(), 0); });
                    }
                    if (!group) c.guarded([] {});
                    if (c.rank() == lastRank(c)) throw std::runtime_error("the last rank fails");
                    c.barrier();
                });
                CHECK(failures.size() == 1);
                if (group) {
                    try {
                        group->receive<int>(1 - group->rank());
                        FAIL_CHECK("the call returned");
                    } catch (const Deadlock& deadlock) {
                        CHECK(deadlock.ranks().size() == 2);
                        CHECK(std::string(deadlock.what()).find("no rank of the group") != std::string::npos);
                    }
                    c.send(2, std::string("found"));
                } else if (c.rank() == 2) {
                    CHECK(c.receive<std::string>(0) == "found");
                    CHECK(c.receive<std::string>(1) == "found");
                }
                checkUsable(c);
            }
            if (group) checkUsable(*group);
        },
        4);
}

TEST_CASE("groups: throwOn reaches a rank that waits in the group, or outside of it; a stop of the job, too") {
    onRanksThatFail(
        [](Connector& c) {
            const auto group = c.split(0);
            if (c.isMaster()) {
                group->throwOn(1, std::out_of_range("in the group"));
                group->receive<bool>(1);
                group->throwOn(1, std::length_error("outside"));
                group->receive<bool>(1);
                c.throwOn(1, std::domain_error("of the connector"));
                group->receive<bool>(1);
            } else if (c.rank() == 1) {
                CHECK_THROWS_AS(group->receive<int>(0), std::out_of_range);
                group->send(0, true);
                CHECK_THROWS_AS(c.receive<int>(0), std::length_error);
                group->send(0, true);
                CHECK_THROWS_AS(group->receive<int>(0), std::domain_error);
                group->send(0, true);
            }
            group->barrier();
            detail::mailboxOf(c).due().stop(std::make_exception_ptr(Terminated("planned", 3)));
            CHECK_THROWS_AS(group->barrier(), Terminated);
            CHECK_THROWS_AS(group->guarded([] {}), Terminated);
        },
        2);
}

TEST_CASE("groups: a rank that waits for a rank that has left the job is told, after the last letters are taken") {
    const auto result = simulate(4, 5, [](Connector& c) {
        const auto group = c.split(c.rank() / 2);
        if (group->rank() == 1) return group->send(0, 12);
        CHECK(group->receive<int>(1) == 12);
        CHECK_THROWS_AS(group->receive<int>(1), RankHasLeft);
        CHECK_THROWS_AS(group->receive<int>(), RankHasLeft);
        CHECK_THROWS_AS(group->guarded([] {}), RankHasLeft);
    });
    CHECK_MESSAGE(result.haveAllReturned(), result.describe());
}

TEST_CASE("groups: destructors that call them while an exception passes neither wait nor throw") {
    onRanks([](Connector& c) {
        const auto group = c.split(0);
        struct Farewell {
            Connector& group;
            ~Farewell() {
                group.barrier();
                group.poll();
                group.flush();
            }
        };
        const auto failures = failuresOf(c, [&] {
            const Farewell farewell{*group};
            throwOnLast(c);
            group->receive<int>(AnyRank);
        });
        CHECK(failures.size() == 1);
        checkBothUsable(c, *group);
    });
}
