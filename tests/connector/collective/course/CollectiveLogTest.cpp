#include <ferry/connector/collective/course/CollectiveLog.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include <ferry/connector/collective/course/CollectiveHistory.hpp>
#include <ferry/connector/collective/course/Operation.hpp>
#include <ferry/connector/message/letter/ValueName.hpp>

using namespace ferry;

namespace {

detail::Envelope collective(std::int32_t number, detail::Operation operation, std::int32_t region = 0) {
    detail::Envelope envelope{detail::MessageKind::Collective, detail::keyOf(operation, 0), number};
    envelope.region = region;
    return envelope;
}

}    // namespace

TEST_CASE("CollectiveLog: a step in the place of another collective is noticed, whether it comes before this rank or after it") {
    detail::CollectiveLog log;
    CHECK_FALSE(log.noteArrival({1, collective(1, detail::Operation::Gather)}));
    const auto other = log.enter(collective(1, detail::Operation::Barrier));
    REQUIRE(other.has_value());
    CHECK(other->from == 1);
    CHECK(log.noteArrival({2, collective(1, detail::Operation::Gather)}));
    CHECK_FALSE(log.noteArrival({2, collective(1, detail::Operation::Barrier)}));
    CHECK(log.mismatch(0, *other).here().call == "barrier");
    CHECK(log.mismatch(0, *other).there().call == "gather to rank 0");
}

TEST_CASE("CollectiveLog: a step of the same collective with values of another type is noticed, and both are named") {
    const auto allReduceOf = [](std::int32_t type) {
        detail::Envelope envelope = collective(1, detail::Operation::AllReduce);
        envelope.type = type;
        return envelope;
    };
    detail::CollectiveLog log;
    CHECK_FALSE(log.enter(allReduceOf(detail::namedValueKey<int>())).has_value());
    CHECK_FALSE(log.noteArrival({1, allReduceOf(detail::namedValueKey<int>())}));
    const detail::CollectiveLog::Step other{1, allReduceOf(detail::namedValueKey<double>())};
    CHECK(log.noteArrival(other));
    CHECK(log.mismatch(0, other).here().call == "allReduce of int");
    CHECK(log.mismatch(0, other).there().call == "allReduce of double");
    const detail::CollectiveLog::Step unknown{1, allReduceOf(1)};
    CHECK(log.noteArrival(unknown));
    CHECK(log.mismatch(0, unknown).there().call == "allReduce of values of an unknown type");
}

TEST_CASE("CollectiveLog: a wrong step among steps that came early is found, in whatever order they came") {
    for (const detail::Operation first : {detail::Operation::Barrier, detail::Operation::Scan}) {
        const detail::Operation second = first == detail::Operation::Barrier ? detail::Operation::Scan : detail::Operation::Barrier;
        detail::CollectiveLog log;
        log.noteArrival({1, collective(5, first)});
        log.noteArrival({1, collective(5, first)});
        log.noteArrival({2, collective(5, second)});
        const auto other = log.enter(collective(5, detail::Operation::Barrier));
        REQUIRE(other.has_value());
        CHECK(other->envelope.key == detail::keyOf(detail::Operation::Scan, 0));
    }
}

TEST_CASE("CollectiveLog: steps of one region say nothing of another one") {
    detail::CollectiveLog log;
    log.noteArrival({1, collective(1, detail::Operation::Gather, 7)});
    CHECK_FALSE(log.enter(collective(1, detail::Operation::Barrier, 8)).has_value());
    CHECK_FALSE(log.noteArrival({1, collective(1, detail::Operation::Gather, 7)}));
    CHECK(log.enter(collective(1, detail::Operation::Barrier, 7)).has_value());
}

TEST_CASE("CollectiveLog: steps that were entered, are old or belong to a failed region are forgotten") {
    detail::CollectiveLog log;
    for (std::int32_t number = 1; number <= 200; ++number) {
        log.noteArrival({1, collective(number, detail::Operation::Barrier)});
        CHECK_FALSE(log.enter(collective(number, detail::Operation::Barrier)).has_value());
    }
    log.noteArrival({1, collective(3, detail::Operation::Barrier)});
    CHECK(log.aheadCount() == 0);
    log.noteArrival({1, collective(201, detail::Operation::Barrier, 4)});
    log.noteArrival({1, collective(201, detail::Operation::Barrier, 5)});
    log.forget([](std::int32_t region) { return region == 4; });
    CHECK(log.aheadCount() == 1);
}

TEST_CASE("CollectiveHistory: histories differ when the collectives, their order or their number differ") {
    const auto historyOf = [](std::initializer_list<detail::Operation> operations) {
        detail::CollectiveHistory history;
        for (const detail::Operation operation : operations) history.enter(detail::keyOf(operation, 0));
        return history;
    };
    const detail::CollectiveHistory both = historyOf({detail::Operation::Barrier, detail::Operation::Scan});
    CHECK(both == historyOf({detail::Operation::Barrier, detail::Operation::Scan}));
    CHECK_FALSE(both == historyOf({detail::Operation::Scan, detail::Operation::Barrier}));
    CHECK_FALSE(both == historyOf({detail::Operation::Barrier}));
    CHECK_FALSE(both == detail::CollectiveHistory());
    CHECK(detail::describeHistory(both) == "2 collectives in the guarded region (the last one: scan)");
    CHECK(detail::describeHistory(detail::CollectiveHistory()) == "no collective in the guarded region");
    detail::CollectiveHistory outer = historyOf({detail::Operation::Barrier});
    outer.append(detail::CollectiveHistory());
    CHECK(outer == historyOf({detail::Operation::Barrier}));
    outer.append(both);
    CHECK(outer.count == 3);
}
