// Another thread destroys the handles of a connector while the rank's own thread is in calls of the connector.
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/message/GraphLetters.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/pending/GraphPosting.hpp>
#include <ferry/connector/message/pending/Pending.hpp>
#include <ferry/connector/message/state/OneThread.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/Elsewhere.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/Sanitizers.hpp>

using namespace ferry;
using namespace ferry::test;

namespace droppedelsewheretest {

struct ElsewhereNode {
    std::string text;
    std::unique_ptr<ElsewhereNode> next;
    FERRY_FIELDS(text, next)
};

/// A node of a graph that runs a function while the node is written.
struct WritingNode {
    std::function<void()> whileWritten;
    void writeToInts(IntWriter& out) const {
        if (whileWritten) whileWritten();
        out << 1;
    }
    void readFromInts(IntReader& in) {
        int one = 0;
        in >> one;
    }
};

std::unique_ptr<ElsewhereNode> chainOf(int count) {
    std::unique_ptr<ElsewhereNode> first;
    for (int i = 0; i < count; ++i) {
        auto node = std::make_unique<ElsewhereNode>();
        node->text = std::string(100, 'x');
        node->next = std::move(first);
        first = std::move(node);
    }
    return first;
}

/// Lets another thread destroy a new group, and calls the function with the group until that throws the UsageError. Returns its text.
std::string errorOfDropped(Connector& c, Elsewhere& elsewhere, const std::function<void(Connector&)>& call) {
    std::unique_ptr<Connector> group = c.duplicate();
    Connector& dropped = *group;
    elsewhere.drop(std::move(group));
    try {
        for (;;) call(dropped);    // the first calls may come before the drop
    } catch (const UsageError& error) {
        c.barrier();
        return error.what();
    }
}

using Limit = decltype(std::declval<Connector&>().limitWaits(Deadline::never()));
using TimerRun = Timers::Run;

std::unique_ptr<Limit> limitOf(Connector& c) {
    return std::unique_ptr<Limit>(new Limit(c.limitWaits(Deadline::in(std::chrono::hours(1)))));
}
bool isLimited(Connector& c) { return detail::mailboxOf(c).nest().limit().isSet(); }

void checkNamesBothThreads(const std::string& text) {
    const std::string own = std::to_string(detail::numberOfThisThread());
    INFO(text);
    CHECK(text.starts_with("thread "));
    CHECK(text.find(" (of no rank) has destroyed this connector of a group while thread " + own + " (rank ") != std::string::npos);
}

}    // namespace droppedelsewheretest

using namespace droppedelsewheretest;

TEST_CASE("Pending: another thread destroys started collectives while its rank calls the connector") {
    onRanks([](Connector& c) {
        Elsewhere elsewhere;
        const std::vector<int> numbers(500, c.rank());
        for (int round = 0; round < 200; ++round) {
            elsewhere.drop(c.startAllReduce(numbers, Sum{}));
            elsewhere.drop(c.startBroadcast(std::string(500, 'x'), round % c.size()));
            elsewhere.drop(c.startGather(numbers, round % c.size()));
            elsewhere.drop(c.startBarrier());
            CHECK(c.startAllReduce(round, Sum{}).get() == round * c.size());
        }
        c.finishStarted();
        elsewhere.finish();
        checkUsable(c);
    });
}

TEST_CASE("Pending: another thread destroys expectations while letters come for them, and no letter is lost") {
    onRanks([](Connector& c) {
        Elsewhere elsewhere;
        constexpr int rounds = 300;
        int sum = 0;
        for (int round = 0; round < rounds; ++round) {
            elsewhere.drop(c.expect<int>(previousRank(c)));
            elsewhere.drop(c.expectGraph<ElsewhereNode>(previousRank(c)));
            c.send(nextRank(c), round);
            Pending<std::string> text = c.expect<std::string>(previousRank(c));
            c.send(nextRank(c), std::string("text"));
            CHECK(text.get() == "text");
        }
        elsewhere.finish();
        for (int round = 0; round < rounds; ++round) sum += c.receive<int>(previousRank(c));
        CHECK(sum == rounds * (rounds - 1) / 2);
        checkUsable(c);
    });
}

TEST_CASE("Pending: another thread destroys posted vectors and graphs, and then their objects, while its rank calls the connector") {
    onRanks([](Connector& c) {
        Elsewhere elsewhere;
        for (int round = 0; round < (isSanitized ? 30 : 100); ++round) {
            elsewhere.drop(c.post(nextRank(c), std::vector<double>(20'000, 1.5)));
            auto chain = std::make_shared<std::unique_ptr<ElsewhereNode>>(chainOf(3000));
            auto posted = std::make_shared<Pending<void>>(c.post(nextRank(c), graph(chain->get())));
            elsewhere.call([posted, chain]() mutable {
                posted.reset();
                chain.reset();
            });
            posted.reset();
            chain.reset();
            CHECK(c.receive<std::vector<double>>(previousRank(c)).size() == 20'000);
            try {
                static_cast<void>(c.receiveGraph<ElsewhereNode>(previousRank(c)));
            } catch (const Cancelled&) {}
        }
        elsewhere.finish();
        checkUsable(c);
    });
}

TEST_CASE("Pending: another thread assigns to it, and destroys it after its connector has ended") {
    onRanks([](Connector& c) {
        Elsewhere elsewhere;
        for (int round = 0; round < 30; ++round) {
            auto group = c.duplicate();
            auto handles = std::make_shared<std::vector<Pending<int>>>();
            for (int i = 0; i < 10; ++i) {
                handles->push_back(group->expect<int>(previousRank(c)));
                handles->push_back(group->startAllReduce(i, Sum{}));
            }
            group->send(nextRank(c), round);
            group->barrier();
            elsewhere.call([handles] {
                for (Pending<int>& each : *handles) each = Pending<int>();
            });
            std::vector<Pending<int>> late;
            late.push_back(group->expect<int>(previousRank(c)));
            late.push_back(group->startAllReduce(round, Sum{}));
            group->finishStarted();
            group.reset();
            elsewhere.drop(std::move(late));
        }
        elsewhere.finish();
        checkUsable(c);
    });
}

TEST_CASE("GraphPosting: a drop does not wait beyond its limit for a function that writes the graph and waits for the drop") {
    onRanks([](Connector& c) {
        using detail::GraphPosting;
        const detail::Envelope envelope{detail::MessageKind::Graph, detail::namedValueKey<detail::GraphRoot<WritingNode>>(), 1'000'000};
        WritingNode node;
        GraphPosting posting(detail::GraphSender(detail::mailboxOf(c), {c.rank()}, envelope), graph(&node));
        const auto dropElsewhere = [&posting](std::chrono::milliseconds longestWait) {
            return std::async(std::launch::async, [&posting, longestWait] { return posting.drop(longestWait); }).get();
        };
        bool isOver = true;
        node.whileWritten = [&] {
            CHECK(posting.drop(std::chrono::hours(1)));    // on the thread of the step itself
            isOver = dropElsewhere(std::chrono::milliseconds(1));
        };
        CHECK(posting.moveOn() == GraphPosting::Progress::Done);
        CHECK(!isOver);
        CHECK(dropElsewhere(std::chrono::hours(1)));
        static_cast<void>(c.receiveGraph<WritingNode>(c.rank()));
        checkUsable(c);
    });
}

TEST_CASE("Pending: a letter of a dropped expectation goes to a later expectation, and wakes a wait that has begun") {
    onRanks([](Connector& c) {
        Pending<int> first = c.expect<int>(previousRank(c));
        Pending<int> second = c.expect<int>(previousRank(c));
        c.send(nextRank(c), 1);
        c.barrier();
        first = Pending<int>();
        CHECK(second.get() == 1);
        c.barrier();    // a rank that has not dropped its first expectation would give the next letter to the second one
        Elsewhere elsewhere;
        Pending<int> held = c.expect<int>(previousRank(c));
        c.send(nextRank(c), 2);
        c.barrier();
        elsewhere.drop(std::move(held));
        CHECK(c.receive<int>(previousRank(c)) == 2);
        checkUsable(c);
    });
}

TEST_CASE("Connector: another thread destroys connectors of groups while their rank calls the connector around") {
    onRanks([](Connector& c) {
        Elsewhere elsewhere;
        for (int round = 0; round < 100; ++round) {
            std::unique_ptr<Connector> group = c.duplicate();
            elsewhere.drop(group->startAllReduce(std::vector<int>(100, round), Sum{}));
            elsewhere.drop(group->expect<int>(previousRank(c)));
            group->send(nextRank(c), round);
            if (round % 3 == 0) elsewhere.drop(group->duplicate());
            elsewhere.drop(std::move(group));
            CHECK(c.allReduce(round, Sum{}) == round * c.size());
            c.send(nextRank(c), round);
            CHECK(c.receive<int>(previousRank(c)) == round);
        }
        elsewhere.finish();
        checkUsable(c);
    });
}

TEST_CASE("Connector: a rank that waits in a group which another thread destroys gets a UsageError that names both threads") {
    const std::vector<std::function<void(Connector&)>> calls{
        [](Connector& group) { static_cast<void>(group.receive<std::string>(group.rank())); },
        [](Connector& group) { static_cast<void>(group.receiveAny<std::string, double>()); },
        [](Connector& group) { group.expect<int>(group.rank()).get(); },
        [](Connector& group) { group.poll(); },
        [](Connector& group) { static_cast<void>(group.probe(group.rank())); },
        [](Connector& group) {
            const auto limit = group.limitWaits(Deadline::in(std::chrono::hours(1)));
            static_cast<void>(group.receiveGraph<ElsewhereNode>(group.rank()));
        }};
    onRanks([&calls](Connector& c) {
        Elsewhere elsewhere;
        for (const auto& call : calls) checkNamesBothThreads(errorOfDropped(c, elsewhere, call));
        checkUsable(c);
    });
}

TEST_CASE("Connector: ranks in a collective of a group which other threads destroy get a UsageError, and no rank is left waiting") {
    onRanks([](Connector& c) {
        Elsewhere elsewhere;
        const auto isTold = [](const std::string& text) {
            return text.find("has destroyed this connector of a group") != std::string::npos;
        };
        for (int round = 0; round < 20; ++round) {
            CHECK(isTold(errorOfDropped(c, elsewhere, [](Connector& group) { static_cast<void>(group.allReduce(1, Sum{})); })));
            CHECK(isTold(errorOfDropped(c, elsewhere, [](Connector& group) { static_cast<void>(group.startAllReduce(1, Sum{}).get()); })));
        }
        checkUsable(c);
    });
}

TEST_CASE("Connector: a guarded region of a group which another thread destroys ends on all ranks") {
    onRanks([](Connector& c) {
        Elsewhere elsewhere;
        for (int round = 0; round < 20; ++round) {
            std::unique_ptr<Connector> group = c.duplicate();
            Connector& dropped = *group;
            const auto waitInRegion = [&] {
                if (dropped.rank() == 0) elsewhere.drop(std::move(group));
                static_cast<void>(dropped.receive<std::string>(dropped.rank()));
            };
            CHECK_THROWS_AS(dropped.guarded(waitInRegion), ExceptionList);
            c.barrier();
        }
        elsewhere.finish();
        checkUsable(c);
    });
}

TEST_CASE("Connector: another thread destroys the connector of a group after that of the connector around, and in a turn") {
    onRanks([](Connector& c) {
        Elsewhere elsewhere;
        for (int round = 0; round < 20; ++round) {
            std::unique_ptr<Connector> outer = c.duplicate();
            std::unique_ptr<Connector> inner = outer->duplicate();
            elsewhere.drop(std::move(outer));
            elsewhere.drop(std::move(inner));
            std::unique_ptr<Connector> group = c.duplicate();
            Connector& dropped = *group;
            try {
                dropped.ordered([&] {
                    elsewhere.drop(std::move(group));
                    elsewhere.finish();
                    c.poll();
                });
            } catch (const UsageError&) {}    // a rank that still needs the group, to begin or to end its turn
            c.barrier();
        }
        elsewhere.finish();
        checkUsable(c);
    });
}

TEST_CASE("limitWaits: another thread ends limits while their rank calls the connector, and no limit stays") {
    onRanks([](Connector& c) {
        Elsewhere elsewhere;
        for (int round = 0; round < 50; ++round) {
            std::unique_ptr<Limit> outer = limitOf(c);
            std::unique_ptr<Limit> inner(new Limit(c.limitWaits(Deadline::in(std::chrono::minutes(30)))));
            elsewhere.drop(std::move(inner));
            elsewhere.drop(std::move(outer));
            CHECK(c.allReduce(round, Sum{}) == round * c.size());
            elsewhere.finish();
            CHECK(!isLimited(c));
        }
        std::unique_ptr<Limit> within = limitOf(c);
        {
            const detail::OneThread::Call call(detail::mailboxOf(c).thread());
            elsewhere.drop(std::move(within));
            elsewhere.finish();
        }
        CHECK(!isLimited(c));
        std::unique_ptr<Connector> group = c.duplicate();
        std::unique_ptr<Limit> late = limitOf(*group);
        std::unique_ptr<Limit> later = limitOf(*group);
        group.reset();
        elsewhere.drop(std::move(later));
        late.reset();
        elsewhere.finish();
        checkUsable(c);
    });
}

TEST_CASE("Timers: another thread ends runs while their rank calls the connector, and is refused during a call") {
    onRanks([](Connector& c) {
        Elsewhere elsewhere;
        constexpr std::uint64_t rounds = 50;
        for (std::uint64_t round = 0; round < rounds; ++round) {
            std::unique_ptr<TimerRun> outer(new TimerRun(c.timers().time("outer")));
            std::unique_ptr<TimerRun> inner(new TimerRun(c.timers().time("inner")));
            elsewhere.drop(std::move(inner));
            elsewhere.drop(std::move(outer));
            c.barrier();
            elsewhere.finish();
        }
        const auto all = c.timers().measured();
        REQUIRE(all.size() == 2);
        for (const auto& one : all) CHECK(one.callCount == rounds);
        std::string refusal;
        {
            const detail::OneThread::Call call(detail::mailboxOf(c).thread());
            elsewhere.call([&c, &refusal] {
                try {
                    c.timers().count("elsewhere");
                } catch (const UsageError& error) {
                    refusal = error.what();
                }
            });
            elsewhere.finish();
        }
        CHECK(refusal.find("while a call of thread") != std::string::npos);
        c.timers().clear();
        std::unique_ptr<Connector> group = c.duplicate();
        std::unique_ptr<TimerRun> late(new TimerRun(group->timers().time("late")));
        group.reset();
        elsewhere.drop(std::move(late));
        elsewhere.finish();
        checkUsable(c);
    });
}
