#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <boost/serialization/array.hpp>
#include <boost/serialization/binary_object.hpp>
#include <boost/serialization/deque.hpp>
#include <boost/serialization/set.hpp>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>
#include <ferry/tests/serialization/boost/LegacyTypes.hpp>

namespace {

using ferry::test::Ints;
using namespace legacy;

template <class T>
Ints archived(const T& value) {
    ferry::IntBuffer buffer;
    ferry::IntWriter out(buffer);
    ferry::BoostOutputArchive archive(out);
    archive << value;
    out.finish();
    return {buffer.ints().begin(), buffer.ints().end()};
}

template <class T>
void unarchive(const Ints& ints, T& value) {
    ferry::IntReader in(ints);
    ferry::BoostInputArchive archive(in);
    archive >> value;
    in.expectEnd();
}

template <class T>
T roundTrip(const T& value) {
    T read{};
    unarchive(archived(value), read);
    return read;
}

const std::int32_t version = static_cast<std::int32_t>(boost::archive::BOOST_ARCHIVE_VERSION());

}    // namespace

TEST_CASE("BoostArchive: numbers take the ints that they take in Ferry") {
    CHECK(archived(7) == Ints{version, 7});
    CHECK(archived(true) == Ints{version, 1});
    CHECK(archived('a') == Ints{version, 97});
    CHECK(archived(std::int64_t{1} << 40) == Ints{version, 0, 256});
    CHECK(archived(std::string("ship")) == Ints{version, 4, 0x70696873});
    CHECK(roundTrip(std::numeric_limits<unsigned long>::max()) == std::numeric_limits<unsigned long>::max());
    CHECK(roundTrip(static_cast<signed char>(-5)) == -5);
    CHECK(roundTrip(1.25f) == 1.25f);
    CHECK(roundTrip(-1e300) == -1e300);
    CHECK(roundTrip(0.1L) == 0.1L);
    CHECK(roundTrip(L'x') == L'x');
    CHECK(roundTrip(std::wstring(L"wide")) == L"wide");
    CHECK(roundTrip(Season::Winter) == Season::Winter);
}

TEST_CASE("BoostArchive: classes with functions of each kind come back") {
    CHECK(roundTrip(Account("Ada", -12)) == Account("Ada", -12));
    const Place place{51.5, 2.5f, Season::Autumn, true, {1, 2, 3}};
    CHECK(roundTrip(place) == place);
    const Squares squares({1, -2, 3});
    CHECK(roundTrip(squares) == squares);
    CHECK(roundTrip(squares).squares() == std::vector<int>{1, 4, 9});
    CHECK(roundTrip(Settings{3, "dark"}) == Settings{3, "dark"});
    CHECK(roundTrip(makeDiary()) == makeDiary());
}

TEST_CASE("BoostArchive: a class of an earlier version is read as that version") {
    Ints ints = archived(Settings{3, ""});
    CHECK(ints == Ints{version, 0, 2, 3, 0});    // class not tracked, version 2
    ints[2] = 1;
    ints.pop_back();
    Settings settings;
    unarchive(ints, settings);
    CHECK(settings == Settings{3, ""});
    ints[2] = 3;
    CHECK_THROWS_AS(unarchive(ints, settings), ferry::SerializationError);
}

TEST_CASE("BoostArchive: containers of all kinds, arrays and raw memory come back") {
    CHECK(roundTrip(std::vector<std::uint8_t>{1, 2, 3, 4, 5}) == std::vector<std::uint8_t>{1, 2, 3, 4, 5});
    CHECK(roundTrip(std::deque<short>{1, -2}) == std::deque<short>{1, -2});
    CHECK(roundTrip(std::set<std::string>{"a", "b"}) == std::set<std::string>{"a", "b"});
    CHECK(roundTrip(std::array<bool, 3>{true, false, true}) == std::array<bool, 3>{true, false, true});
    std::unordered_map<int, std::string> rooms;
    rooms.rehash(1000);    // the number of buckets is only a hint
    rooms[1] = "B-12";
    CHECK(roundTrip(rooms) == rooms);

    std::array<std::byte, 7> bytes{std::byte{1}, std::byte{2}};
    ferry::IntBuffer buffer;
    ferry::IntWriter out(buffer);
    ferry::BoostOutputArchive(out) << boost::serialization::make_binary_object(bytes.data(), bytes.size());
    out.finish();
    CHECK(buffer.size() == 3);
    std::array<std::byte, 7> read{};
    ferry::IntReader in(buffer.ints());
    ferry::BoostInputArchive archive(in);
    auto target = boost::serialization::make_binary_object(read.data(), read.size());
    archive >> target;
    CHECK(read == bytes);
}

TEST_CASE("BoostArchive: an array of numbers or of plain data is one copy") {
    const std::vector<double> values(1000, 1.5);
    CHECK(archived(values).size() == 1 + 1 + 2 * values.size());    // library version, count, elements
    CHECK(roundTrip(values) == values);

    std::vector<Sample> samples(100);
    samples[99].y = 4;
    Sample::serializeCalls = 0;
    const std::vector<Sample> read = roundTrip(samples);
    CHECK(Sample::serializeCalls == 0);
    CHECK(archived(samples).size() == 1 + 2 + 1 + 4 * samples.size());    // library version, class of the vector, count, elements
    CHECK(read.size() == 100);
    CHECK(read[99].y == 4);
}

TEST_CASE("BoostArchive: an object that is reached twice travels once, and a cycle comes back") {
    const auto nodes = makeGraph();
    const Node* root = nodes[0].get();
    Node* read = nullptr;
    ferry::IntBuffer buffer;
    ferry::IntWriter out(buffer);
    ferry::BoostOutputArchive(out) << root;
    out.finish();
    ferry::IntReader in(buffer.ints());
    ferry::BoostInputArchive archive(in);
    archive >> read;
    in.expectEnd();
    REQUIRE(read != nullptr);
    REQUIRE(read->next.size() == 2);
    const Node* shared = read->next[0]->next.at(0);
    CHECK(shared == read->next[1]->next.at(0));
    CHECK(shared->value == 30);
    CHECK(shared->next.at(0) == read);
    archive.delete_created_pointers();

    const std::shared_ptr<Member> family = roundTrip(makeHousehold()).head;
    REQUIRE(family->children.size() == 2);
    CHECK(family->children[1]->children.at(0) == family->children[0]);
    CHECK(family->children[0]->parent.lock() == family);
    CHECK(family.use_count() == 1);

    // Starts at a child. The child does not own the parent, and the parent owns the child.
    const std::shared_ptr<Member> parent = makeHousehold().head;
    const Household fromChild = roundTrip(Household{parent->children[0]});
    CHECK(fromChild.head->name == "Bea");
    CHECK(fromChild.head->parent.expired());    // no other pointer holds the parent
}

TEST_CASE("BoostArchive: exported classes come back behind pointers to their base") {
    const Zoo zoo = roundTrip(makeZoo());
    REQUIRE(zoo.animals.size() == 3);
    CHECK(zoo.animals[0]->sound() == "woof, Rex");
    CHECK(zoo.animals[0]->age == 3);
    CHECK(dynamic_cast<const Cow&>(*zoo.animals[1]).milk == std::vector<double>{1.5, 2.5});
    CHECK(zoo.animals[2] == nullptr);
    CHECK(zoo.favourite == zoo.oldest);
    CHECK(zoo.rock->weight == 7);
}

namespace {

class Unexported final : public Animal {
public:
    std::string sound() const override { return ""; }
};

struct Chain {
    std::unique_ptr<Chain> next;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& next;
    }
};

}    // namespace

TEST_CASE("BoostArchive: what Boost cannot write, and what is nested too deep, is a usage error") {
    std::unique_ptr<Animal> animal = std::make_unique<Unexported>();
    CHECK_THROWS_AS(archived(animal), ferry::UsageError);

    Chain first;
    Chain* last = &first;
    for (int i = 0; i < 900; ++i) {
        last->next = std::make_unique<Chain>();
        last = last->next.get();
    }
    ferry::IntBuffer buffer;
    ferry::IntWriter out(buffer);
    ferry::BoostOutputArchive archive(out);
    archive << static_cast<const Chain&>(first);
    out.finish();
    ferry::BoostOutputArchive shallow(out);
    shallow.setMaxDepth(1000);
    CHECK_THROWS_AS(shallow << static_cast<const Chain&>(first), ferry::UsageError);

    Chain read;
    ferry::IntReader in(buffer.ints());
    ferry::BoostInputArchive(in) >> read;
    Chain other;
    ferry::IntReader again(buffer.ints());
    ferry::BoostInputArchive shallowReader(again);
    shallowReader.setMaxDepth(1000);
    CHECK_THROWS_AS(shallowReader >> other, ferry::SerializationError);
}

namespace {

struct UnaddressableInBoost {    // takes no address by operator&
    int number = 0;
    double numbers[2] = {};
    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & number & numbers;
    }
    void operator&() const = delete;
};

}    // namespace

TEST_CASE("BoostArchive: a class whose operator& must not be called travels") {
    UnaddressableInBoost value;
    value.number = 3;
    value.numbers[1] = 0.5;
    const auto read = ferry::test::valueOf<UnaddressableInBoost>(ferry::test::intsOf(value));
    CHECK(read.number == 3);
    CHECK(read.numbers[1] == 0.5);
}
