#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/parcel/Parcel.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/framework/slave/SlaveQueue.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

using namespace ferry;

namespace parceltest {

using Ints = std::vector<std::int32_t>;

struct Place {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(1);
    detail::Mailbox mailbox{*transports[0], ObjectFactory::global()};

    IntBuffer packed(const detail::Parcel& head, const Ints& body) {
        return detail::packParcel(mailbox, detail::JobKind::Request, head, [&](IntWriter& out) { out.writeInts(body); });
    }
};

detail::Letter letterOf(IntBuffer ints) { return {0, detail::Envelope{detail::JobKind::Request}, std::move(ints)}; }

detail::Letter letterWithBody(const Ints& body) {
    IntBuffer ints(Ints(detail::Envelope::sizeInts, 0));
    ints.append(body);
    return letterOf(std::move(ints));
}

Ints bodyOf(const detail::Parcel& parcel) { return {parcel.body.begin(), parcel.body.end()}; }

}    // namespace parceltest

using namespace parceltest;

TEST_CASE("Parcel: several in one letter come out as they went in, and lie as docs/wire-format.md says") {
    Place place;
    IntBuffer ints = place.packed({77, 1, 1}, {10, 20});
    detail::appendParcels(ints, place.packed({78, 2, 5}, {}));
    detail::setParcelDetail(ints, 4);
    const detail::Letter letter = letterOf(std::move(ints));
    CHECK(Ints(letter.body().begin(), letter.body().end()) == Ints{77, 1, 4, 2, 0, 10, 20, 78, 2, 5, 0, 0});
    const std::vector<detail::Parcel> parcels = detail::parcelsIn(letter);
    REQUIRE(parcels.size() == 2);
    CHECK(parcels[0].key == 77);
    CHECK(parcels[0].number == 1);
    CHECK(parcels[0].detail == 4);
    CHECK(bodyOf(parcels[0]) == Ints{10, 20});
    CHECK(parcels[1].number == 2);
    CHECK(parcels[1].body.empty());
    CHECK(detail::parcelsIn(letterWithBody({})).empty());
}

TEST_CASE("Parcel: a damaged letter is refused, whatever its lengths say") {
    CHECK_THROWS_AS(detail::parcelsIn(letterWithBody({77})), SerializationError);
    CHECK_THROWS_AS(detail::parcelsIn(letterWithBody({77, 1, 1, 2})), SerializationError);
    CHECK_THROWS_AS(detail::parcelsIn(letterWithBody({77, 1, 1, 2, 0, 5})), SerializationError);
    CHECK_THROWS_AS(detail::parcelsIn(letterWithBody({77, 1, 1, 0, 0, 5})), SerializationError);
    CHECK_THROWS_WITH_AS(detail::parcelsIn(letterWithBody({77, 1, 1, -1, -1, 5})),
                         "int 5: expected a parcel of 0 to 1 ints, found one of -1", SerializationError);
    CHECK_THROWS_AS(detail::parcelsIn(letterWithBody({77, 1, 1, 1, 0x7fffffff, 5})), SerializationError);
}

TEST_CASE("SlaveQueue: keeps the order of tasks and notices, and gives back tasks that are asked for") {
    Place place;
    detail::SlaveQueue queue;
    IntBuffer ints = place.packed({77, 1, 1}, {10});
    detail::appendParcels(ints, place.packed({77, 2, 1}, {20}));
    detail::appendParcels(ints, place.packed({77, 3, 1}, {30}));
    queue.add(letterOf(std::move(ints)));
    queue.add(detail::Letter{0, detail::Envelope{detail::JobKind::SharedNotice, 5, 3}, IntBuffer(Ints(detail::Envelope::sizeInts, 0))});
    queue.add(letterOf(place.packed({77, 4, 1}, {40})));

    CHECK_FALSE(queue.nextNotice().has_value());
    const auto first = queue.nextTask();
    REQUIRE(first.has_value());
    CHECK(first->parcel.number == 1);
    CHECK(bodyOf(first->parcel) == Ints{10});
    CHECK(queue.goesOnAfter(*first));

    const auto removed = queue.remove({1, 3, 4, 99});
    REQUIRE(removed.size() == 2);
    CHECK(bodyOf(removed[0].parcel) == Ints{30});
    CHECK(bodyOf(removed[1].parcel) == Ints{40});

    const auto second = queue.nextTask();
    REQUIRE(second.has_value());
    CHECK(second->parcel.number == 2);
    CHECK_FALSE(queue.goesOnAfter(*second));
    CHECK_FALSE(queue.nextTask().has_value());
    const auto notice = queue.nextNotice();
    REQUIRE(notice.has_value());
    CHECK(notice->key == 5);
    CHECK(notice->number == 3);
    CHECK(queue.isEmpty());
    CHECK_THROWS_AS(queue.add(letterWithBody({77, 1})), SerializationError);
    CHECK(queue.isEmpty());
}
