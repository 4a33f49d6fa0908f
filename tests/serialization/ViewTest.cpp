#include <ferry/serialization/codec/View.hpp>

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/tests/serialization/PartTrip.hpp>

namespace viewtest {

struct Person {
    std::string name;
    int age = 0;
    double weight = 0;
};
using Names = ferry::View<&Person::name>;

struct Body {
    double volume = 1;
};

struct Mass : Body {
    float mass = 1, x = 2, y = 3;
    float forceX = 7, forceY = 8;
    std::vector<int> near;
    std::vector<Person> people;
    std::array<Person, 2> guards;
    std::optional<Person> owner;
    std::unique_ptr<Person> tenant;
};

using Place = ferry::View<&Mass::x, &Mass::y>;
using Backwards = ferry::View<&Mass::y, &Mass::x>;
using Forces = ferry::View<&Mass::forceX, &Mass::forceY, &Mass::near>;
using WithBase = ferry::View<&Mass::volume, &Mass::mass>;
using Everybody = ferry::View<ferry::inside<&Mass::people, Names>, ferry::inside<&Mass::guards, Names>, ferry::inside<&Mass::owner, Names>,
                              ferry::inside<&Mass::tenant, Names>>;
using Nested = ferry::View<&Mass::mass, ferry::inside<&Mass::owner, Names>, &Mass::y>;

class Account {    // the class sends a part of its private members
    int balance_ = 0;
    int pin_ = 1234;

public:
    using Public = ferry::View<&Account::balance_>;
    explicit Account(int balance) : balance_(balance) {}
    int balance() const { return balance_; }
    int pin() const { return pin_; }
    void setPin(int pin) { pin_ = pin; }
};

/// Classes of which little travels.
struct Chest {
    int number = 0;
    std::array<std::byte, 4096> notSent{};
};
struct Figure {
    virtual ~Figure() = default;
};
struct Block final : Figure {
    int side = 0;
    std::array<std::byte, 4096> notSent{};
};
using ChestNumber = ferry::View<&Chest::number>;
using AnyFigure = ferry::OneOf<ferry::Choice<Block, ferry::View<&Block::side>>>;

/// Reads such a part of three objects of one size with memory for two of them, and with memory for all.
template <class ViewOfObject, class Pointer>
void checkCounted(const ferry::test::Ints& ints, std::size_t objectBytes) {
    for (const std::size_t objects : {std::size_t{2}, std::size_t{3}}) {
        std::vector<Pointer> pointers;
        ferry::IntReader in(ints, ferry::ObjectFactory::global(), {.memoryPerByte = 0, .memoryBase = objects * objectBytes});
        if (objects == 2)
            CHECK_THROWS_WITH_AS(in >> ferry::part<ViewOfObject>(pointers), doctest::Contains("memoryPerByte"), ferry::SerializationError);
        else
            CHECK_NOTHROW(in >> ferry::part<ViewOfObject>(pointers));
        if constexpr (std::is_pointer_v<Pointer>) {
            for (Pointer each : pointers) delete each;
        }
    }
}

struct Crowd {    // the part is one value among the fields
    std::vector<Person> people;
    void writeToInts(ferry::IntWriter& out) const { out << 1 << ferry::part<Names>(people); }
    void readFromInts(ferry::IntReader& in) {
        int one = 0;
        in >> one >> ferry::part<Names>(people);
    }
};

}    // namespace viewtest

using namespace viewtest;
using namespace ferry::test;

TEST_CASE("View: only the members of the view travel, in its order") {
    const Mass mass;
    CHECK(intsOf(ferry::part<Place>(mass)) == Ints{0x40000000, 0x40400000});
    CHECK(intsOf(ferry::part<Backwards>(mass)) == Ints{0x40400000, 0x40000000});
    Mass read;
    read.forceX = 99;
    read.x = read.y = 0;
    readPart<Place>({0x40000000, 0x40400000}, read);
    CHECK(read.x == 2);
    CHECK(read.y == 3);
    CHECK(read.forceX == 99);
    readPart<Backwards>({0x40000000, 0x40400000}, read);
    CHECK(read.x == 3);
    CHECK(read.y == 2);
}

TEST_CASE("View: several views of one class, with members of any type") {
    Mass mass;
    mass.near = {5, 6};
    CHECK(intsOf(ferry::part<Forces>(mass)) == Ints{0x40e00000, 0x41000000, 2, 5, 6});
    Mass read;
    readPart<Forces>(intsOf(ferry::part<Forces>(mass)), read);
    CHECK(read.near == mass.near);
    CHECK(errorOfPart<Forces, Mass>({1, 2, 2, 5}) == "int 2 at near: expected a count of at most 1, found 2");
    CHECK(errorOfPart<Forces, Mass>({1}) == "int 1 at forceY: expected 1 more int, found 0");
}

TEST_CASE("View: members of base classes") {
    Mass mass;
    mass.volume = 2;
    Mass read;
    readPart<WithBase>(intsOf(ferry::part<WithBase>(mass)), read);
    CHECK(read.volume == 2);
    CHECK(read.mass == 1);
}

TEST_CASE("View: private members that the class shows") {
    const Account account(500);
    CHECK(intsOf(ferry::part<Account::Public>(account)) == Ints{500});
    Account read(0);
    read.setPin(4711);
    readPart<Account::Public>({500}, read);
    CHECK(read.balance() == 500);
    CHECK(read.pin() == 4711);
}

TEST_CASE("View: a part of a member, of each element, of what is held") {
    Mass mass;
    mass.people.resize(2);
    mass.people[0].name = "Ada";
    mass.people[1].name = "Bo";
    mass.guards[1].name = "Cy";
    mass.owner.emplace();
    mass.owner->name = "Di";
    const Ints golden{2, 3, 0x00616441, 2, 0x6f42, 0, 2, 0x7943, 1, 2, 0x6944, 0};
    CHECK(intsOf(ferry::part<Everybody>(mass)) == golden);

    Mass read;
    read.people.resize(1);
    read.people[0].age = 36;
    read.guards[1].age = 50;
    read.tenant = std::make_unique<Person>();
    readPart<Everybody>(golden, read);
    REQUIRE(read.people.size() == 2);
    CHECK(read.people[0].name == "Ada");
    CHECK(read.people[0].age == 36);    // the member is not in the view
    CHECK(read.people[1].name == "Bo");
    CHECK(read.guards[1].name == "Cy");
    CHECK(read.guards[1].age == 50);
    CHECK(read.owner->name == "Di");
    CHECK(read.tenant == nullptr);

    for (std::size_t count = 0; count < golden.size(); ++count) {
        CHECK(errorOfPart<Everybody, Mass>({golden.begin(), golden.begin() + static_cast<std::ptrdiff_t>(count)}) != "no error");
    }
    CHECK(errorOfPart<Everybody, Mass>({0, 0, 0, 2}) == "int 3 at owner: expected 0 or 1, found 2");
    CHECK(errorOfPart<Everybody, Mass>({1, 9}) == "int 1 at people[0].name: expected a count of at most 0, found 9");
    CHECK(intsOf(ferry::part<Nested>(mass)) == Ints{0x3f800000, 1, 2, 0x6944, 0x40400000});
}

TEST_CASE("View: a part of a whole container") {
    std::deque<Mass> masses(2);
    masses[1].x = 1;
    const Ints ints = intsOf(ferry::part<Place>(masses));
    CHECK(ints == Ints{2, 0x40000000, 0x40400000, 0x3f800000, 0x40400000});
    std::vector<Mass> read;
    readPart<Place>(ints, read);
    REQUIRE(read.size() == 2);
    CHECK(read[1].x == 1);
    CHECK(read[1].forceX == 7);
    CHECK(errorOfPart<Place, std::vector<Mass>>({1000000, 0}) == "int 0: expected a count of at most 0, found 1000000");
}

TEST_CASE("View: a part inside a class that writes itself") {
    Crowd crowd;
    crowd.people.resize(1);
    crowd.people[0].name = "Ada";
    CHECK(checkTravel(crowd, {1, 1, 3, 0x00616441}).people[0].name == "Ada");
}

TEST_CASE("View: objects behind pointers are counted as those that travel whole") {
    const Ints owned{3, 1, 5, 1, 6, 1, 7}, shared{3, -1, 5, -2, 6, -3, 7}, sharedFigures{3, -1, 1, 5, -2, 1, 6, -3, 1, 7};
    checkCounted<ChestNumber, std::unique_ptr<Chest>>(owned, sizeof(Chest));
    checkCounted<ChestNumber, std::shared_ptr<Chest>>(shared, sizeof(Chest));
    checkCounted<ferry::Owned<ChestNumber>, Chest*>(owned, sizeof(Chest));
    checkCounted<AnyFigure, std::unique_ptr<Figure>>(owned, sizeof(Block));
    checkCounted<AnyFigure, std::shared_ptr<Figure>>(sharedFigures, sizeof(Block));
    checkCounted<AnyFigure, Figure*>(owned, sizeof(Block));
}
