#include <ferry/connector/message/letter/CarrierMessage.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/letter/SimpleMessage.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry;
using namespace ferry::test;

namespace carriermessagetest {

enum class Meaning { Results, Control = 7 };

class Place : public IntSerializableObject {
public:
    FERRY_CLASS(carriermessagetest::Place)
    FERRY_FIELDS(x, y)
    Place() = default;
    Place(int theX, int theY) : x(theX), y(theY) {}
    int x = 0;
    int y = 0;
};

class Survey : public CarrierMessage {    // adds a field
public:
    FERRY_CLASS(carriermessagetest::Survey)
    FERRY_FIELDS_AFTER(CarrierMessage, area)
    using CarrierMessage::CarrierMessage;
    std::string area;
};

class Tidings : public SimpleMessage {    // adds nothing
public:
    FERRY_CLASS(carriermessagetest::Tidings)
    using SimpleMessage::SimpleMessage;
};

class Trouble : public ExceptionMessage {
public:
    FERRY_CLASS(carriermessagetest::Trouble)
    FERRY_FIELDS_AFTER(ExceptionMessage, step)
    using ExceptionMessage::ExceptionMessage;
    int step = 0;
};

CarrierMessage twoPlaces() {
    CarrierMessage carrier;
    carrier.add(std::make_unique<Place>(11, 12));
    carrier.add(std::make_unique<Place>(21, 22));
    return carrier;
}

/// Writes a message behind a pointer, with its class ID, and reads it again as its own class.
template <class T>
std::unique_ptr<T> travelled(std::unique_ptr<T> message) {
    std::unique_ptr<Message> sent = std::move(message);
    auto arrived = valueOf<std::unique_ptr<Message>>(intsOf(sent));
    REQUIRE(dynamic_cast<T*>(arrived.get()) != nullptr);
    return std::unique_ptr<T>(static_cast<T*>(arrived.release()));
}

/// Checks that the ints with any one replaced are read or refused with a typed error, and that cut-off ints are refused.
void checkDamagedCarrier(const Ints& ints) {
    for (std::size_t place = 0; place < ints.size(); ++place) {
        for (const std::int32_t bad : {0, 1, 3, -1, -2, 1'000'000, ints[place] + 1}) {
            Ints damaged = ints;
            damaged[place] = bad;
            CarrierMessage read;
            IntReader in(damaged);
            try {
                in >> read;
                in.expectEnd();
            } catch (const SerializationError&) {
                continue;
            }
            CHECK(intsOf(read) == damaged);
        }
    }
    for (std::size_t count = 0; count < ints.size(); ++count) {
        CarrierMessage read;
        IntReader in({ints.data(), count});
        CHECK_THROWS_AS(in >> read, SerializationError);
    }
}

}    // namespace carriermessagetest

using namespace carriermessagetest;

TEST_CASE("CarrierMessage: without a meaning its ints are those of its objects") {
    const detail::ClassId place = detail::classIdFor<Place>;
    CHECK(intsOf(twoPlaces()) == Ints{2, place, 11, 12, place, 21, 22});
    CHECK(intsOf(CarrierMessage()) == Ints{0});
    CHECK_FALSE(valueOf<CarrierMessage>(intsOf(twoPlaces())).hasMeaning());
}

TEST_CASE("CarrierMessage: the meaning travels ahead of the objects, and is looked at as an enumeration") {
    CarrierMessage carrier = twoPlaces();
    carrier.setMeaning(Meaning::Control);
    const detail::ClassId place = detail::classIdFor<Place>;
    const Ints ints{-1, 7, 2, place, 11, 12, place, 21, 22};
    CHECK(intsOf(carrier) == ints);
    auto arrived = valueOf<CarrierMessage>(ints);
    CHECK(arrived.hasMeaning());
    CHECK(arrived.means(Meaning::Control));
    CHECK_FALSE(arrived.means(Meaning::Results));
    CHECK(arrived.meaning<Meaning>() == Meaning::Control);
    CHECK(arrived.meaning() == 7);
    CHECK(arrived.size() == 2);
    CHECK(arrived.at<Place>(1).y == 22);
    CHECK(intsOf(CarrierMessage(Meaning::Results)) == Ints{-1, 0, 0});
    CHECK(valueOf<CarrierMessage>({-1, -1, 0}).meaning() == -1);
}

TEST_CASE("CarrierMessage: one without a meaning means nothing, and says so") {
    const CarrierMessage carrier = twoPlaces();
    CHECK_FALSE(carrier.means(Meaning::Results));
    CHECK_THROWS_AS(static_cast<void>(carrier.meaning<Meaning>()), UsageError);
    CHECK_THROWS_AS(static_cast<void>(carrier.at<Survey>(0)), UsageError);
    CHECK_THROWS_AS(static_cast<void>(carrier.at<Place>(2)), UsageError);
}

TEST_CASE("CarrierMessage: an object that is read into loses the meaning that it had") {
    CarrierMessage target(Meaning::Control);
    const Ints ints = intsOf(twoPlaces());
    IntReader in(ints);
    in >> target;
    CHECK_FALSE(target.hasMeaning());
}

TEST_CASE("CarrierMessage: damaged and cut-off ints are refused, with and without a meaning") {
    CarrierMessage carrier = twoPlaces();
    checkDamagedCarrier(intsOf(carrier));
    carrier.setMeaning(Meaning::Control);
    checkDamagedCarrier(intsOf(carrier));
    for (const Ints& bad : {Ints{-2, 7, 0}, Ints{-1, 7, -1, 7, 0}}) {
        CarrierMessage read;
        IntReader in(bad);
        CHECK_THROWS_AS(in >> read, SerializationError);
    }
}

TEST_CASE("Message classes: SimpleMessage, CarrierMessage and ExceptionMessage have subclasses that travel as themselves") {
    auto survey = std::make_unique<Survey>(Meaning::Results);
    survey->area = "north";
    survey->add(std::make_unique<Place>(1, 2));
    survey = travelled(std::move(survey));
    CHECK(survey->area == "north");
    CHECK(survey->means(Meaning::Results));
    CHECK(survey->at<Place>(0).y == 2);

    const auto tidings = travelled(std::make_unique<Tidings>(std::make_unique<Place>(3, 4)));
    REQUIRE(tidings->objectAs<Place>() != nullptr);
    CHECK(tidings->objectAs<Place>()->x == 3);

    auto trouble = std::make_unique<Trouble>(std::make_exception_ptr(std::out_of_range("no way")));
    trouble->step = 5;
    trouble = travelled(std::move(trouble));
    CHECK(trouble->step == 5);
    CHECK_THROWS_WITH_AS(std::rethrow_exception(trouble->rebuild()), "no way", std::out_of_range);
}

TEST_CASE("Message classes: the ints of a subclass begin with those of its base class") {
    Survey survey(Meaning::Control);
    survey.add(std::make_unique<Place>(1, 2));
    survey.area = "ab";
    const detail::ClassId place = detail::classIdFor<Place>;
    CHECK(intsOf(survey) == Ints{-1, 7, 1, place, 1, 2, 2, 'a' | 'b' << 8});
}

TEST_CASE("CarrierMessage: each object may have an ID") {
    enum class Role { Best = 3, Worst = -9 };
    CarrierMessage carrier(Meaning::Control);
    carrier.add(std::make_unique<Place>(1, 2));
    carrier.add(std::make_unique<Place>(3, 4), Role::Worst);
    carrier.add(std::make_unique<Place>(5, 6), Role::Best);
    const std::int32_t id = Place().classId();
    const Ints golden{-1, 7, -2, 2, 1, -9, 2, 3, 3, id, 1, 2, id, 3, 4, id, 5, 6};
    CHECK(intsOf(carrier) == golden);
    CarrierMessage arrived = valueOf<CarrierMessage>(golden);
    CHECK(arrived.means(Meaning::Control));
    CHECK_FALSE(arrived.idOf<Role>(0).has_value());
    CHECK(arrived.idOf<Role>(1) == Role::Worst);
    CHECK(arrived.idOf(2) == 3);
    CHECK(arrived.placeOf(Role::Best) == 2);
    CHECK_FALSE(arrived.placeOf(Meaning::Results).has_value());
    CHECK_THROWS_AS(arrived.idOf(3), UsageError);
    CHECK(arrived.take<Place>(2)->x == 5);
    CHECK(arrived.idOf<Role>(2) == Role::Best);
    checkTruncated<CarrierMessage>(golden);
    for (const Ints& wrong : {Ints{-2, 2, 1, 0, 1, 0, 0}, Ints{-2, 1, -1, 0, 0}, Ints{-2, 0x7fffffff, 0, 0, 0}}) {
        CarrierMessage message;
        IntReader in(wrong);
        CHECK_THROWS_AS(in >> message, SerializationError);
    }
    // The places rise. The error names the int of the place that does not.
    const Ints twice{-2, 2, 1, -9, 1, 3, 0};
    IntReader in(twice);
    CarrierMessage message;
    std::size_t offset = 0;
    try {
        in >> message;
    } catch (const SerializationError& e) {
        offset = e.offsetInts();
    }
    CHECK(offset == 4);
}
