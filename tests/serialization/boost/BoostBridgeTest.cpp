#include <ferry/serialization/boost/BoostBridge.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>
#include <ferry/tests/serialization/boost/LegacyTypes.hpp>

namespace bridgetest {

/// A class of Ferry whose fields have legacy types.
class Booking : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(bridgetest::Booking)
    FERRY_FIELDS(number, account, ferry::boosted(day), places, zoo)
    int number = 0;
    legacy::Account account;                   // travels by ferry::useBoost
    boost::gregorian::date day{2000, 1, 1};    // the bridge is enabled for this field only
    std::vector<legacy::Place> places;
    legacy::Zoo zoo;
};

}    // namespace bridgetest

using bridgetest::Booking;
using ferry::test::intsOf;

static_assert(ferry::detail::Writable<legacy::Account>);
static_assert(ferry::detail::Writable<std::vector<legacy::Place>>);
static_assert(!ferry::detail::Writable<boost::gregorian::date>);

TEST_CASE("BoostBridge: legacy types are fields of a class of Ferry") {
    auto booking = std::make_unique<Booking>();
    booking->number = 7;
    booking->account = legacy::Account("Ada", 100);
    booking->day = boost::gregorian::date(2026, 11, 21);
    booking->places.resize(2);
    booking->places[1].latitude = 3.5;
    booking->zoo = legacy::makeZoo();
    const std::unique_ptr<ferry::IntSerializableObject> object = std::move(booking);
    const auto read = ferry::test::valueOf<std::unique_ptr<ferry::IntSerializableObject>>(intsOf(object));
    const auto& copy = dynamic_cast<const Booking&>(*read);
    CHECK(copy.number == 7);
    CHECK(copy.account == legacy::Account("Ada", 100));
    CHECK(copy.day == boost::gregorian::date(2026, 11, 21));
    REQUIRE(copy.places.size() == 2);
    CHECK(copy.places[1].latitude == 3.5);
    CHECK(copy.zoo.animals.at(0)->sound() == "woof, Rex");
}

TEST_CASE("BoostBridge: legacy types are elements, keys' values and optional values") {
    const std::map<int, std::optional<legacy::Account>> accounts{{1, legacy::Account("Ada", 1)}, {2, std::nullopt}};
    CHECK(ferry::test::valueOf<std::map<int, std::optional<legacy::Account>>>(intsOf(accounts)) == accounts);
}

TEST_CASE("BoostBridge: a value is an archive of its own") {
    const auto version = static_cast<std::int32_t>(boost::archive::BOOST_ARCHIVE_VERSION());
    // The ints are: library version; class not tracked, version 0; owner, cents.
    CHECK(intsOf(legacy::Account("Ada", 5)) == ferry::test::Ints{version, 0, 0, 3, 0x616441, 5, 0});
}

TEST_CASE("BoostBridge: a single value is written and read with boosted") {
    const std::vector<boost::gregorian::date> days{boost::gregorian::date(2026, 2, 28)};
    ferry::IntBuffer buffer;
    ferry::IntWriter(buffer) << ferry::boosted(days[0]) << 5;
    boost::gregorian::date day;
    int five = 0;
    ferry::IntReader in(buffer.ints());
    in >> ferry::boosted(day) >> five;
    in.expectEnd();
    CHECK(day == days[0]);
    CHECK(five == 5);
}

namespace bridgetest {

struct Anniversary {
    FERRY_FIELDS_VERSIONED(2, name, ferry::boosted(day))
    std::string name;
    boost::gregorian::date day{2000, 1, 1};    // added in version 2
};

}    // namespace bridgetest

TEST_CASE("BoostBridge: a legacy field that came with a later version") {
    bridgetest::Anniversary used;
    used.day = boost::gregorian::date(1999, 1, 1);
    const ferry::test::Ints old{1, 2, 3, 0x616441};
    ferry::IntReader in(old);
    in >> used;
    CHECK(used.name == "Ada");
    CHECK(used.day == boost::gregorian::date(2000, 1, 1));
    CHECK(ferry::test::valueOf<bridgetest::Anniversary>(intsOf(used)).day == used.day);
}

TEST_CASE("BoostBridge: boostSerialized holds a value that travels alone") {
    const auto held = ferry::boostSerialized(boost::gregorian::date(2026, 2, 28));
    const auto read = ferry::test::valueOf<ferry::BoostSerialized<boost::gregorian::date>>(intsOf(held));
    CHECK(*read == *held);
    CHECK(read->year() == 2026);
}

TEST_CASE("BoostBridge: an error says where it was met") {
    Booking booking;
    booking.account = legacy::Account("Ada", 100);
    ferry::test::Ints ints = intsOf(booking);
    ints[4] = 100;    // the ints are number, library version, tracking, version, length of the owner's name
    Booking read;
    ferry::IntReader in(ints);
    try {
        in >> read;
        FAIL("was read");
    } catch (const ferry::SerializationError& error) {
        CHECK(error.offsetInts() == 4);
        CHECK(error.objectClass() == "bridgetest::Booking");
        CHECK(error.fieldPath() == "account");
    }
}

TEST_CASE("BoostBridge: an exception of a class that refuses its values is the cause of a SerializationError") {
    boost::gregorian::date day(2026, 11, 21);
    ferry::test::Ints ints = intsOf(ferry::boosted(day));
    // The ints are: library version; class not tracked, version 0; 8 characters: 2026, 1121.
    REQUIRE(ints == ferry::test::Ints{ints[0], 0, 0, 8, 0x36323032, 0x31323131});
    ints[5] = 0x31323331;    // the characters 1321, which is no date
    ferry::IntReader in(ints);
    try {
        in >> ferry::boosted(day);
        FAIL("was read");
    } catch (const ferry::SerializationError& error) {
        CHECK(error.offsetInts() == 6);
        CHECK_THROWS_AS(std::rethrow_if_nested(error), std::out_of_range);
    }
}
