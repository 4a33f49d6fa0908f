#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/state/Standstill.hpp>
#include <ferry/connector/message/state/StandstillReview.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

using namespace ferry;

namespace standstilltest {

using Finding = detail::StandstillReview::Finding;
using Counts = std::vector<std::uint64_t>;

const std::vector<bool> allAreHere{false, false, false};

detail::StillnessReport reportOf(std::int32_t stillness, Counts sent, Counts taken, std::vector<bool> isThrough = {false, false, false}) {
    detail::StillnessReport report;
    report.stillness = stillness;
    report.sent = std::move(sent);
    report.taken = std::move(taken);
    report.isThrough = std::move(isThrough);
    return report;
}

/// Rank 0 has sent two letters to rank 1. Rank 1 has sent one letter to itself.
void addRound(detail::StandstillReview& review, std::int32_t stillnessOfRank1 = 1) {
    review.add(0, reportOf(4, {0, 2, 0}, {0, 0, 0}));
    review.add(1, reportOf(stillnessOfRank1, {0, 1, 0}, {2, 1, 0}));
    review.add(2, reportOf(9, {0, 0, 0}, {0, 0, 0}));
}

/// The surroundings of a search whose letters go nowhere.
struct RecordedLetters final : detail::Standstill::Surroundings {
    struct Sent {
        int to = -1;
        std::int32_t key = 0;
        std::int32_t number = 0;
        bool operator==(const Sent&) const = default;
    };

    bool hasLeft(int rank) const noexcept override { return gone.contains(rank); }
    void sendOfSearch(int to, const detail::Envelope& envelope, const std::function<void(IntWriter&)>&) override {
        letters.push_back({to, envelope.key, envelope.number});
    }

    std::set<int> gone;
    std::vector<Sent> letters;
};

}    // namespace standstilltest

using namespace standstilltest;

TEST_CASE("StandstillReview: two equal rounds, in which all letters that were sent were taken, prove that all ranks are stuck") {
    detail::StandstillReview review(3);
    review.beginAnew();
    CHECK(review.judge(allAreHere) == Finding::Open);
    addRound(review);
    CHECK(review.judge(allAreHere) == Finding::Unconfirmed);
    review.beginRound();
    CHECK(review.judge(allAreHere) == Finding::Open);
    addRound(review);
    CHECK(review.judge(allAreHere) == Finding::Stuck);
}

TEST_CASE("StandstillReview: a rank that has stood still anew in the second round may have moved between") {
    detail::StandstillReview review(3);
    addRound(review, 1);
    review.beginRound();
    addRound(review, 2);
    CHECK(review.judge(allAreHere) == Finding::Unconfirmed);
    review.beginRound();
    addRound(review, 2);
    CHECK(review.judge(allAreHere) == Finding::Stuck);
    review.beginAnew();
    addRound(review, 2);
    CHECK(review.judge(allAreHere) == Finding::Unconfirmed);
}

TEST_CASE("StandstillReview: a letter that was not taken, or was taken before its sender reported it, leaves the question open") {
    for (const std::uint64_t takenCount : {1u, 3u}) {
        detail::StandstillReview review(3);
        for (int round = 0; round < 3; ++round) {
            review.beginRound();
            addRound(review);
            review.add(1, reportOf(1, {0, 1, 0}, {takenCount, 1, 0}));
            CHECK(review.judge(allAreHere) == Finding::Moving);
        }
    }
}

TEST_CASE("StandstillReview: a rank's letters to itself count") {
    detail::StandstillReview review(1);
    review.add(0, reportOf(1, {3}, {2}, {false}));
    CHECK(review.judge({false}) == Finding::Moving);
    review.add(0, reportOf(1, {3}, {3}, {false}));
    CHECK(review.judge({false}) == Finding::Unconfirmed);
}

TEST_CASE("StandstillReview: every letter of a rank that has left must have been taken, as the other ranks report") {
    const std::vector<bool> lastHasLeft{false, false, true};
    detail::StandstillReview review(3);
    review.add(0, reportOf(1, {0, 0, 5}, {0, 0, 7}, {false, false, true}));
    review.add(1, reportOf(1, {0, 0, 0}, {0, 0, 0}, {false, false, false}));
    CHECK(review.judge(allAreHere) == Finding::Open);
    CHECK(review.judge(lastHasLeft) == Finding::Moving);
    review.add(1, reportOf(2, {0, 0, 0}, {0, 0, 1}, {false, false, true}));
    CHECK(review.judge(lastHasLeft) == Finding::Unconfirmed);
}

TEST_CASE("StandstillReview: a rank that leaves between two rounds does not confirm anything") {
    detail::StandstillReview review(3);
    addRound(review);
    review.beginRound();
    review.add(0, reportOf(4, {0, 2, 0}, {0, 0, 0}, {false, false, true}));
    review.add(1, reportOf(1, {0, 1, 0}, {2, 1, 0}, {false, false, true}));
    CHECK(review.judge({false, false, true}) == Finding::Unconfirmed);
}

TEST_CASE("Standstill: a rank asks each rank that has not left, and throws when all that are here are stuck") {
    const auto transports = detail::threadTransports(3);
    RecordedLetters around;
    around.gone = {2};
    detail::Standstill search(around, *transports[0], false);
    const auto look = [&search] { return search.look(detail::Waiter::Call, [] { return detail::Awaited{{1}, "a message"}; }); };
    search.setQuietTime(std::chrono::seconds(0));
    look();    // the rank stands still, and asks rank 1
    CHECK(around.letters == std::vector<RecordedLetters::Sent>{{1, 1, 1}});
    CHECK_NOTHROW(search.throwIfStuck());
    around.gone = {1, 2};
    search.noteGone();
    look();    // this rank alone is here: two rounds need no letter
    CHECK(around.letters.size() == 1);
    CHECK_THROWS_AS(search.throwIfStuck(), Deadlock);
    CHECK_NOTHROW(search.throwIfStuck());    // thrown once
}

TEST_CASE("Standstill: a rank that hears of a loss while it stands still waits for its quiet time anew") {
    const auto transports = detail::threadTransports(3);
    detail::Mailbox master(*transports[0], ObjectFactory::global());
    detail::Mailbox mailbox(*transports[1], ObjectFactory::global());
    const auto look = [&] { return mailbox.standstill().look(detail::Waiter::Call, [] { return detail::Awaited(); }); };
    mailbox.standstill().setQuietTime(std::chrono::seconds(0));
    CHECK(look() == detail::Standstill::Clock::time_point::max());
    mailbox.standstill().setQuietTime(std::chrono::hours(1));
    CHECK(look() == detail::Standstill::Clock::time_point::max());    // stands still until something happens
    master.post(1, detail::Channel::Control, detail::Envelope{detail::MessageKind::Lost, 0, 2},
                [](IntWriter& out) { out << std::string("was killed"); });
    mailbox.poll();
    REQUIRE(mailbox.departures().isLost(2));
    CHECK(look() != detail::Standstill::Clock::time_point::max());
}

TEST_CASE("Standstill: a damaged letter is an error on the rank that reads it, and the mailbox goes on") {
    const auto transports = detail::threadTransports(2);
    detail::Mailbox mailbox(*transports[0], ObjectFactory::global());
    detail::Mailbox other(*transports[1], ObjectFactory::global());
    const auto send = [&](std::int32_t key, const std::vector<std::int32_t>& body) {
        other.post(0, detail::Channel::Control, detail::Envelope{detail::MessageKind::Standstill, key, 1},
                   [&](IntWriter& out) { out.writeInts(body); });
    };
    send(1, {5});                                              // an inquiry has no body
    send(2, {});                                               // an answer without a report
    send(2, {1, 0, 0, 0, 0, 0, 0});                            // a report of no ranks
    send(2, {1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});    // a report of one of three ranks
    send(2, {1, 0, 0x7fffffff});                               // an impossible count
    send(3, {-1});
    send(3, {0});
    send(4, {});
    for (int i = 0; i < 8; ++i) CHECK_THROWS_AS(mailbox.poll(), SerializationError);
    send(1, {});
    send(3, {0, 0});    // a verdict on a wait that is over
    other.post(0, detail::Channel::Data, detail::Envelope{detail::MessageKind::Object, 0, 4}, [](IntWriter&) {});
    CHECK(mailbox.take(detail::Filter({detail::MessageKind::Object})).envelope.number == 4);
    mailbox.poll();
}
