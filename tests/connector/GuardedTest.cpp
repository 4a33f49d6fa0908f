#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/Operators.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/GuardedCampaign.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace ferry::test {

/// Cannot be written, or not be read, as its flag says.
class Awkward : public Message {
public:
    FERRY_CLASS(ferry::test::Awkward)
    Awkward() = default;
    explicit Awkward(bool failsInWriting) : failsInWriting_(failsInWriting) {}
    void writeToInts(IntWriter& out) const override {
        if (failsInWriting_) throw std::length_error("too long to write");
        out << 1;
    }
    void readFromInts(IntReader& in) override {
        in.readInt();
        throw std::length_error("too long to read");
    }

private:
    bool failsInWriting_ = false;
};

}    // namespace ferry::test

namespace {

int last(const Connector& c) { return c.size() - 1; }
int next(const Connector& c) { return (c.rank() + 1) % c.size(); }
int previous(const Connector& c) { return (c.rank() + c.size() - 1) % c.size(); }

/// What leaves the region on this rank; an empty list when nothing does.
template <class Function>
ExceptionList failuresOf(Connector& c, Function function) {
    try {
        c.guarded(function);
    } catch (const ExceptionList& failures) {
        return failures;
    }
    return ExceptionList();
}

void checkUsable(Connector& c) {
    CHECK(c.allReduce(c.rank(), Sum{}) == c.size() * (c.size() - 1) / 2);
    c.send(next(c), std::string("usable"));
    CHECK(c.receive<std::string>(previous(c)) == "usable");
    CHECK(c.broadcast(c.rank(), last(c)) == last(c));
}

/// Every rank has the one failure of the last rank.
void checkOneFailure(Connector& c, const ExceptionList& failures, const std::string& text) {
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().rank() == last(c));
    CHECK(failures.front().origin().rank == last(c));
    CHECK(failures.front().ranks() == std::vector<int>{last(c)});
    CHECK(failures.front().what() == text);
    checkUsable(c);
}

void throwOnLast(const Connector& c) {
    if (c.rank() == last(c)) throw std::domain_error("matrix is singular");
}

}    // namespace

TEST_CASE("guarded: returns what the function returns, on each rank its own") {
    onRanks([](Connector& c) {
        CHECK(c.guarded([&] { return c.rank() * 2; }) == c.rank() * 2);
        CHECK(c.guarded([] { return std::string("text"); }) == "text");
        int runs = 0;
        c.guarded([&runs] { ++runs; });
        CHECK(runs == 1);
        checkUsable(c);
    });
}

TEST_CASE("guarded: a rank that throws before, between or after collectives takes all ranks out of the region") {
    onRanks([](Connector& c) {
        const auto run = [&c](int place) {
            return failuresOf(c, [&c, place] {
                for (int step = 0; step < 4; ++step) {
                    if (step == place) throwOnLast(c);
                    c.barrier();
                    c.allReduce(c.rank(), Sum{});
                    c.broadcast(std::vector<double>(1000, 1.0), last(c));
                }
                throwOnLast(c);
            });
        };
        for (int place = 0; place < 5; ++place) checkOneFailure(c, run(place), "matrix is singular");
    });
}

TEST_CASE("guarded: whatever call the others wait in, they are woken") {
    onRanks(
        [](Connector& c) {
            const auto check = [&c](const auto& wait) {
                const ExceptionList failures = failuresOf(c, [&] {
                    throwOnLast(c);
                    wait();
                });
                checkOneFailure(c, failures, "matrix is singular");
                CHECK(failures.front().as<std::domain_error>() != nullptr);
            };
            check([&] { c.receive<int>(last(c)); });
            check([&] { c.receive<Ping>(); });
            check([&] { c.receive(last(c)); });
            check([&] { c.receiveGraph<Ping>(last(c)); });
            check([&] { c.barrier(); });
            check([&] { c.broadcast(1, last(c)); });
            check([&] { c.gather(1, c.rank()); });
            check([&] {
                c.reduce(1, Sum{}, 0);
                c.barrier();
            });
            check([&] {
                c.scan(1, Sum{});
                c.barrier();
            });
            check([&] { c.allGather(1); });
            check([&] { c.scatter(std::vector<int>(static_cast<std::size_t>(c.size()), 1), last(c)); });
            check([&] { c.allToAll(std::vector<int>(static_cast<std::size_t>(c.size()), 1)); });
            check([&] {
                for (;;) c.poll();
            });
            check([&] {
                for (;;) c.flush();
            });
            check([&] {
                for (;;) c.send(c.rank(), 1);
            });
            check([] {});
        },
        2);
}

TEST_CASE("guarded: failures of several ranks come in one list, which is the same on every rank") {
    onRanks([](Connector& c) {
        const ExceptionList failures = failuresOf(c, [&] { throw Overloaded(c.rank(), {"A"}); });
        REQUIRE(failures.size() == static_cast<std::size_t>(c.size()));
        for (int rank = 0; rank < c.size(); ++rank) {
            const Failure& failure = failures[static_cast<std::size_t>(rank)];
            CHECK(failure.rank() == rank);
            REQUIRE(failure.as<Overloaded>() != nullptr);
            CHECK(failure.as<Overloaded>()->limit == rank);
            CHECK(failure.typeName() == "ferry::test::Overloaded");
        }
        checkUsable(c);
    });
}

TEST_CASE("guarded: equal failures of several ranks are one, with the list of the ranks") {
    onRanks([](Connector& c) {
        const ExceptionList failures = failuresOf(c, [] { throw std::runtime_error("no licence"); });
        REQUIRE(failures.size() == 1);
        std::vector<int> all;
        for (int rank = 0; rank < c.size(); ++rank) all.push_back(rank);
        CHECK(failures.front().ranks() == all);
        CHECK(failures.front().rank() == 0);
        CHECK(failures.what() == std::string("1 failure, on rank 0: no licence"));
        CHECK_THROWS_WITH(failures.front().rethrow(), "no licence");
        checkUsable(c);
    });
}

TEST_CASE("guarded: the cause comes before what it led to, whatever the ranks") {
    onRanks(
        [](Connector& c) {
            const ExceptionList failures = failuresOf(c, [&] {
                throwOnLast(c);
                try {
                    c.receive<int>(last(c));
                } catch (const RegionFailed&) {
                    throw std::runtime_error("nothing from the last rank, rank " + std::to_string(c.rank()));
                }
            });
            REQUIRE(failures.size() == static_cast<std::size_t>(c.size()));
            CHECK(failures.front().what() == std::string("matrix is singular"));
            CHECK(failures.of<std::domain_error>().size() == 1);
            CHECK(failures.of<std::runtime_error>().size() == static_cast<std::size_t>(c.size() - 1));
            CHECK(std::string(failures.what()) ==
                  std::to_string(c.size()) + " failures, first on rank " + std::to_string(last(c)) + ": matrix is singular");
        },
        2);
}

TEST_CASE("guarded: what an operator throws hangs nobody") {
    onRanks(
        [](Connector& c) {
            const auto combineTwo = [](int, int) -> int { throw std::overflow_error("over"); };
            for (int way = 0; way < 3; ++way) {
                const ExceptionList failures = failuresOf(c, [&] {
                    if (way == 0) c.allReduce(1, combineTwo);
                    if (way == 1) c.reduce(1, combineTwo, last(c));
                    if (way == 2) c.scan(1, combineTwo);
                    c.barrier();
                });
                REQUIRE(failures.size() >= 1);
                CHECK(failures.of<std::overflow_error>().size() == failures.size());
                checkUsable(c);
            }
        },
        2);
}

TEST_CASE("guarded: what cannot be written or read hangs nobody") {
    onRanks(
        [](Connector& c) {
            for (const bool inWriting : {true, false}) {
                const std::string text = inWriting ? "too long to write" : "too long to read";
                const auto check = [&](const auto& exchange) {
                    const ExceptionList failures = failuresOf(c, [&] {
                        exchange(Awkward(inWriting));
                        c.barrier();
                    });
                    REQUIRE(failures.size() >= 1);
                    for (const Failure& failure : failures) CHECK(failure.what() == text);
                    checkUsable(c);
                };
                check([&](const Awkward& object) {
                    if (c.rank() == 0) c.send(1, object);
                    if (c.rank() == 1) c.receive<Awkward>(0);
                });
                check([&](const Awkward& object) { c.broadcast(object, last(c)); });
                check([&](const Awkward& object) { c.gather(object, last(c)); });
                check([&](const Awkward& object) { c.allGather(object); });
                check([&](const Awkward& object) { c.scatter(std::vector<Awkward>(static_cast<std::size_t>(c.size()), object), last(c)); });
                check([&](const Awkward& object) { c.allToAll(std::vector<Awkward>(static_cast<std::size_t>(c.size()), object)); });
            }
        },
        2);
}

TEST_CASE("guarded: an inner region may fail, and the outer one goes on") {
    onRanks([](Connector& c) {
        const int sum = c.guarded([&] {
            c.barrier();
            checkOneFailure(c,
                            failuresOf(c,
                                       [&] {
                                           c.broadcast(1);
                                           throwOnLast(c);
                                           c.barrier();
                                       }),
                            "matrix is singular");
            return c.allReduce(1, Sum{});
        });
        CHECK(sum == c.size());
        checkUsable(c);
    });
}

TEST_CASE("guarded: an outer region that fails ends the inner ones, whether ranks are in them or not") {
    onRanks(
        [](Connector& c) {
            for (int round = 0; round < 3; ++round) {
                const ExceptionList failures = failuresOf(c, [&] {
                    throwOnLast(c);
                    c.guarded([&] {
                        if (round == 0) return;    // waits at the end of the inner region
                        c.guarded([&] { c.receive<int>(last(c)); });
                    });
                    c.barrier();
                });
                checkOneFailure(c, failures, "matrix is singular");
            }
        },
        2);
}

TEST_CASE("guarded: when inner and outer regions fail at the same time, all failures are told") {
    onRanks(
        [](Connector& c) {
            const ExceptionList failures = failuresOf(c, [&] {
                throwOnLast(c);
                c.guarded([&] {
                    if (c.rank() == 0) throw std::out_of_range("row 7");
                    c.barrier();
                });
            });
            REQUIRE(failures.size() == 2);
            CHECK(failures.of<std::out_of_range>().size() == 1);
            CHECK(failures.of<std::domain_error>().size() == 1);
            checkUsable(c);
        },
        2);
}

TEST_CASE("guarded: a list that leaves an outer region is told once, with the failures themselves") {
    onRanks([](Connector& c) {
        const ExceptionList failures = failuresOf(c, [&] {
            c.guarded([&] {
                throwOnLast(c);
                c.barrier();
            });
        });
        checkOneFailure(c, failures, "matrix is singular");
        CHECK(failures.front().as<std::domain_error>() != nullptr);
    });
}

TEST_CASE("guarded: who swallows the wake meets it again, and leaves the region all the same") {
    onRanks(
        [](Connector& c) {
            int wakes = 0;
            const ExceptionList failures = failuresOf(c, [&] {
                throwOnLast(c);
                for (int i = 0; i < 3; ++i) {
                    try {
                        c.barrier();
                    } catch (...) {
                        ++wakes;
                    }
                }
            });
            CHECK(wakes == (c.rank() == last(c) ? 0 : 3));
            checkOneFailure(c, failures, "matrix is singular");
        },
        2);
}

TEST_CASE("guarded: destructors that send and wait on the way out neither hang nor throw") {
    struct Farewell {
        Connector& c;
        ~Farewell() {
            c.send(next(c), Ping(1));
            c.barrier();
            c.poll();
            c.flush();
        }
    };
    onRanks([](Connector& c) {
        const ExceptionList failures = failuresOf(c, [&] {
            const Farewell farewell{c};
            throwOnLast(c);
            c.receive<int>(last(c));
        });
        checkOneFailure(c, failures, "matrix is singular");
        c.send(next(c), Ping(2));
        CHECK(c.receive<Ping>(previous(c)).number == 2);    // the pings of the region are gone
    });
}

TEST_CASE("guarded: a destructor that waits while an exception passes fails the region, though the exception is caught inside") {
    struct Meeting {
        Connector& c;
        ~Meeting() { c.barrier(); }
    };
    onRanks(
        [](Connector& c) {
            const ExceptionList failures = failuresOf(c, [&] {
                try {
                    if (c.rank() == last(c)) {
                        const Meeting meeting{c};
                        throwOnLast(c);
                    }
                } catch (const std::domain_error&) {}
                c.barrier();
            });
            REQUIRE(failures.size() == 1);
            CHECK(failures.front().rank() == last(c));
            CHECK(failures.front().as<UsageError>() != nullptr);
            checkUsable(c);
        },
        2);
}

TEST_CASE("guarded: letters from before the region survive its failure, those of the region do not") {
    onRanks([](Connector& c) {
        for (int round = 0; round < 5; ++round) {
            c.send(next(c), Ping(round));
            const ExceptionList failures = failuresOf(c, [&] {
                c.send(next(c), Ping(100 + round));
                c.send(next(c), std::vector<int>(50'000, 1));    // a large one, which is on its way for longer
                c.throwOn(next(c), std::logic_error("of the region"));
                throwOnLast(c);
            });
            REQUIRE(failures.size() >= 1);
            c.send(next(c), Ping(1000 + round));
            CHECK(c.receive<Ping>(previous(c)).number == round);
            CHECK(c.receive<Ping>(previous(c)).number == 1000 + round);
            c.barrier();
            CHECK_FALSE(c.mailbox().tryTake(Filter({MessageKind::Object, MessageKind::Value})).has_value());
            c.barrier();    // nobody sends again before all have looked
        }
    });
}

TEST_CASE("guarded: letters of a region that did not fail can be received after it") {
    onRanks([](Connector& c) {
        c.guarded([&] { c.send(next(c), Ping(5)); });
        failuresOf(c, [&] { throwOnLast(c); });
        CHECK(c.receive<Ping>(previous(c)).number == 5);
    });
}

TEST_CASE("guarded: what throwOn throws on another rank is that rank's failure") {
    onRanks(
        [](Connector& c) {
            const ExceptionList failures = failuresOf(c, [&] {
                if (c.rank() == 0) c.throwOn(last(c), std::underflow_error("from rank 0"));
                c.receive<int>(previous(c));
            });
            REQUIRE(failures.size() == 1);
            CHECK(failures.front().rank() == last(c));
            CHECK(failures.front().origin().rank == 0);
            checkUsable(c);
        },
        2);
}

TEST_CASE("guarded: when the job is stopped every rank leaves at once") {
    onRanksThatFail(
        [](Connector& c) {
            if (c.rank() == last(c)) {    // takes no part
                for (int rank = 0; rank < last(c); ++rank) {
                    c.mailbox().post(rank, Channel::Control, Envelope{MessageKind::Stop, 0, 3},
                                     [](IntWriter& out) { out << std::string("test"); });
                }
                c.flush();
                return;
            }
            CHECK_THROWS_AS(c.guarded([] {}), Terminated);
            CHECK_THROWS_AS(c.guarded([] {}), Terminated);
        },
        2);
}

TEST_CASE("guarded: who waits for a rank that has left gets RankHasLeft") {
    onRanksThatFail(
        [](Connector& c) {
            if (c.rank() != last(c)) CHECK_THROWS_AS(c.guarded([] {}), RankHasLeft);
            c.mailbox().sayFarewell();
            c.flush();
        },
        2);
}

TEST_CASE("guarded: a list travels as what it is, by itself and as a cause") {
    onRanks(
        [](Connector& c) {
            const ExceptionList failures = failuresOf(c, [&] { throwOnLast(c); });
            if (c.rank() == 0) {
                c.throwOn(last(c), failures);
                try {
                    try {
                        throw failures;
                    } catch (...) {
                        std::throw_with_nested(std::runtime_error("solving"));
                    }
                } catch (...) {
                    c.throwOn(last(c), std::current_exception());
                }
            } else if (c.rank() == last(c)) {
                try {
                    c.receive<int>(0);
                } catch (const ExceptionList& list) {
                    CHECK(list.isRemote());
                    CHECK(list.what() == std::string(failures.what()));
                    CHECK(list.front().as<std::domain_error>() != nullptr);
                }
                try {
                    c.receive<int>(0);
                } catch (const std::runtime_error& error) {
                    CHECK_THROWS_AS(std::rethrow_if_nested(error), ExceptionList);
                }
            }
            c.barrier();
        },
        2);
}

TEST_CASE("guarded: hundreds of regions in a row with random failures, and the connector is usable after each") {
    onRanks([](Connector& c) { runGuardedCampaign(c, 20'261'121, 200); });
}

TEST_CASE("guarded: what is remembered of failed regions stays small") {
    onRanks([](Connector& c) {
        for (int round = 0; round < 1000; ++round) {
            failuresOf(c, [&] {
                if (c.rank() == round % c.size()) throw 1;
            });
            c.guarded([] {});
        }
        CHECK(c.mailbox().regions().rememberedRanges() < 300);
    });
}

TEST_CASE("guarded: what is expected from before the region does not get what was sent in it, nor loses what was sent before") {
    onRanks([](Connector& c) {
        Pending<Ping> expected = c.expect<Ping>(previous(c));
        auto expectedGraph = c.expectGraph<Ping>(previous(c));
        const ExceptionList failures = failuresOf(c, [&] {
            const Ping own(1);
            c.send(next(c), own);
            c.send(next(c), ferry::graph(&own));
            c.barrier();
            throwOnLast(c);
            c.barrier();
        });
        REQUIRE(failures.size() == 1);
        const Ping own(2);
        c.send(next(c), own);
        c.send(next(c), ferry::graph(&own));
        CHECK(expected.get().number == 2);
        CHECK(expectedGraph.get()->number == 2);
    });
}

TEST_CASE("guarded: a graph that was posted before the region goes on in it, and arrives whole though the region fails") {
    onRanks([](Connector& c) {
        std::vector<std::vector<int>> columns(40, std::vector<int>(5'000, c.rank()));
        Pending<void> posted = c.post(next(c), ferry::graph(&columns, 4096));
        const ExceptionList failures = failuresOf(c, [&] {
            c.barrier();
            throwOnLast(c);
            c.barrier();
        });
        REQUIRE(failures.size() == 1);
        const auto arrived = c.receiveGraph<std::vector<std::vector<int>>>(previous(c));
        posted.get();
        CHECK(*arrived == std::vector<std::vector<int>>(40, std::vector<int>(5'000, previous(c))));
    });
}
