#include <ferry/connector/message/Departures.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

using namespace ferry;

namespace {

/// The mailboxes of three ranks in one thread.
struct DeparturePlaces {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(3);
    detail::Mailbox first{*transports[0], ObjectFactory::global()};
    detail::Mailbox second{*transports[1], ObjectFactory::global()};
    detail::Mailbox third{*transports[2], ObjectFactory::global()};
};

const detail::Filter fromAnyDeparted({detail::MessageKind::Object});
const detail::Filter fromFirstDeparted({detail::MessageKind::Object}, 0);

}    // namespace

TEST_CASE("Departures: no letter of any rank can come when all others have left, and no letter of this rank is on its way to itself") {
    DeparturePlaces places;
    detail::Departures& departures = places.second.departures();
    places.first.departures().sayFarewell();
    places.second.poll();
    CHECK(departures.hasLeft(0));
    CHECK(departures.isHopeless(fromFirstDeparted));
    CHECK_FALSE(departures.isHopeless(fromAnyDeparted));
    places.third.departures().sayFarewell();
    places.second.post(1, detail::Channel::Data, detail::Envelope{}, [](IntWriter&) {});
    while (!departures.hasLeft(2)) places.second.poll();
    places.second.post(1, detail::Channel::Data, detail::Envelope{}, [](IntWriter&) {});
    CHECK_FALSE(departures.isHopeless(fromAnyDeparted));
    departures.throwIfNobodyCanSend(fromAnyDeparted);
    places.second.poll();
    CHECK(departures.isHopeless(fromAnyDeparted));
    CHECK_THROWS_AS(departures.throwIfNobodyCanSend(fromAnyDeparted), RankHasLeft);
}

TEST_CASE("Departures: a lost rank has left, and its loss is taken once") {
    DeparturePlaces places;
    detail::Departures& departures = places.first.departures();
    CHECK_FALSE(departures.takeLoss().has_value());
    departures.lose({2, "was killed"});
    departures.lose({2, "does not answer"});
    CHECK(departures.hasLosses());
    CHECK(departures.isLost(2));
    CHECK(departures.hasLeft(2));
    CHECK_FALSE(departures.hasLeft(1));
    const std::optional<detail::Loss> loss = departures.takeLoss();
    REQUIRE(loss.has_value());
    CHECK(loss->reason == "was killed");
    CHECK_FALSE(departures.hasUntakenLoss());
    places.third.post(0, detail::Channel::Data, detail::Envelope{}, [](IntWriter&) {});
    places.first.poll();
    CHECK(places.first.arrived().size() == 0);    // the letters of a lost rank are dropped
}

TEST_CASE("Departures: a rank tells of the loss of others, not of its own, of the receiver's, or of a rank that is none") {
    DeparturePlaces places;
    const auto tell = [](detail::Mailbox& from, int lost) {
        from.post(1, detail::Channel::Control, detail::Envelope{detail::MessageKind::Lost, 0, lost},
                  [](IntWriter& out) { out << std::string("was killed"); });
    };
    for (const int lost : {-1, 0, 1, 3}) tell(places.first, lost);
    for (int i = 0; i < 4; ++i) CHECK_THROWS_AS(places.second.poll(), SerializationError);
    CHECK_FALSE(places.second.departures().hasLosses());
    tell(places.first, 2);
    places.second.poll();
    CHECK(places.second.departures().isLost(2));
}

TEST_CASE("Departures: a rank that joins later reaches the master alone, and nobody needs to handle that") {
    DeparturePlaces places;
    places.third.departures().noteJoined();
    CHECK(places.third.departures().isLost(1));
    CHECK_FALSE(places.third.departures().isLost(0));
    CHECK_FALSE(places.third.departures().hasUntakenLoss());
}
