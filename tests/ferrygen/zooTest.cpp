// Every class of the zoo goes through the views that ferrygen made for it, and comes back equal.
#include <zoo.views.hpp>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/checkpoint/TypeText.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

namespace {

using ferry::test::Ints;

template <class ViewOfObject, class T>
void readPart(const Ints& ints, T& object) {
    ferry::IntReader in(ints);
    in >> ferry::part<ViewOfObject>(object);
    in.expectEnd();
}

/// Sends the part into the other object. Truncated or damaged copies must be refused or read, without harm.
template <class ViewOfObject, class T>
Ints travel(const T& from, T& to) {
    const Ints ints = ferry::test::intsOf(ferry::part<ViewOfObject>(from));
    for (std::size_t count = 0; count < ints.size(); ++count) {
        T object{};
        CHECK_THROWS_AS(readPart<ViewOfObject>(Ints(ints.begin(), ints.begin() + static_cast<std::ptrdiff_t>(count)), object),
                        ferry::SerializationError);
    }
    for (std::size_t i = 0; i < ints.size(); ++i) {
        for (const int bad : {-1, 2, 1 << 30, ints[i] ^ 1}) {
            Ints damaged = ints;
            damaged[i] = bad;
            T object{};
            try {
                readPart<ViewOfObject>(damaged, object);
            } catch (const ferry::SerializationError&) {}
        }
    }
    readPart<ViewOfObject>(ints, to);
    return ints;
}

/// Deletes the arrays of a series. C leaves this to the owner of the series.
struct OwnedSeries : zoo::CSeries {
    OwnedSeries() : CSeries{} {}
    OwnedSeries(const OwnedSeries&) = delete;
    OwnedSeries& operator=(const OwnedSeries&) = delete;
    ~OwnedSeries() {
        delete[] samples;
        delete[] weights;
    }
};

struct OwnedCloud : zoo::CCloud {
    OwnedCloud() : CCloud{} {}
    OwnedCloud(const OwnedCloud&) = delete;
    OwnedCloud& operator=(const OwnedCloud&) = delete;
    ~OwnedCloud() {
        std::free(points);
        std::free(const_cast<double*>(weights));
    }
};

template <class ViewOfObject, class T>
std::string errorOf(const Ints& ints) {
    T object{};
    try {
        readPart<ViewOfObject>(ints, object);
    } catch (const ferry::SerializationError& error) {
        return error.what();
    }
    return "no error";
}

}    // namespace

TEST_CASE("ferrygen: members of every access, arrays, texts") {
    zoo::Access from(7, "seven"), to;
    from.counted = 70;
    CHECK(travel<zooviews::AccessPart>(from, to) ==
          Ints{7, 70, 0, 8, 0, 0x40220000, 5, 0x65766573, 'n', 7, 8, 9, 10, 11, 0, 0, 0, 0, 0, 1});
    CHECK(to == from);
    CHECK(errorOf<zooviews::AccessPart, zoo::Access>({7, 70, 0}) == "int 3 at protected_: expected 1 more int, found 0");
}

TEST_CASE("ferrygen: members of one name in two bases, of private and of virtual bases") {
    const zoo::Heir from(1, 2, 3, 4);
    zoo::Heir to;
    CHECK(travel<zooviews::HeirPart>(from, to) == Ints{1, 2, 3, 4});
    CHECK(to == from);
}

TEST_CASE("ferrygen: members of types that nobody can name") {
    const zoo::Owner from(10);
    zoo::Owner to;
    travel<zooviews::OwnerPart>(from, to);
    CHECK(to == from);
    zoo::Owner full(3);
    travel<zooviews::OwnerPart>(zoo::Owner(), full);    // reading null deletes the old object
    CHECK(full == zoo::Owner());
}

TEST_CASE("ferrygen: instances of templates") {
    zoo::Box<int> from(5), to;
    from.marks = 6;
    CHECK(travel<zooviews::IntBoxPart>(from, to) == Ints{6, 5});
    CHECK(to.value() == 5);
    const zoo::Box<std::vector<zoo::Cage>> cages({zoo::Cage(1), zoo::Cage(2)});
    zoo::Box<std::vector<zoo::Cage>> read;
    CHECK(travel<zooviews::CageBoxPart>(cages, read) == Ints{0, 2, 1, 2});
    CHECK(read.value() == cages.value());
}

TEST_CASE("ferrygen: the alternative of a union that is named") {
    zoo::Variant from, to;
    from.whole = 77;
    CHECK(travel<zooviews::WholeVariant>(from, to) == Ints{1, 77, 0});
    CHECK(to.whole == 77);
    const zoo::Hidden hidden(5);
    zoo::Hidden read;
    CHECK(travel<zooviews::HiddenNumber>(hidden, read) == Ints{5});
    CHECK(read.number() == 5);
}

TEST_CASE("ferrygen: bit-fields, and numbers that they cannot hold") {
    zoo::Flags from{}, to{};
    from.mode = 5;
    from.level = -9;
    from.colour = zoo::Colour::Blue;
    from.plain = 1;
    CHECK(travel<zooviews::FlagsPart>(from, to) == Ints{5, -9, 2, 1});
    CHECK(unsigned(to.mode) == 5);
    CHECK(int(to.level) == -9);
    CHECK(zoo::Colour(to.colour) == zoo::Colour::Blue);
    CHECK(to.plain == 1);
    CHECK(errorOf<zooviews::FlagsPart, zoo::Flags>({8, 0, 0, 0}) ==
          "int 1 at mode: expected a number that fits into the bit-field, found a larger number");
}

TEST_CASE("ferrygen: two arrays of one length, in a struct of C") {
    OwnedSeries from, to;
    from.count = 3;
    from.samples = new double[3]{1, 2, 3};
    from.weights = new float[3]{4, 5, 6};
    std::string("series").copy(from.name, 7);
    travel<zooviews::SeriesPart>(from, to);
    travel<zooviews::SeriesPart>(from, to);    // the reader deletes the old arrays
    REQUIRE(to.count == 3);
    CHECK(to.samples[2] == 3);
    CHECK(to.weights[0] == 4);
    CHECK(std::string(to.name) == "series");

    const Ints ints = ferry::test::intsOf(ferry::part<zooviews::SeriesPart>(from));
    Ints longer = ints;
    longer[0] = 4;    // the second array is too short, so nothing has changed
    CHECK_THROWS_AS(readPart<zooviews::SeriesPart>(longer, to), ferry::SerializationError);
    CHECK(to.count == 3);
    CHECK(errorOf<zooviews::SeriesPart, OwnedSeries>({-5}) != "no error");

    delete[] std::exchange(from.weights, nullptr);
    CHECK_THROWS_AS(ferry::test::intsOf(ferry::part<zooviews::SeriesPart>(from)), ferry::UsageError);
    from.count = -1;
    CHECK_THROWS_AS(ferry::test::intsOf(ferry::part<zooviews::SeriesPart>(from)), ferry::UsageError);
}

TEST_CASE("ferrygen: arrays from malloc are replaced by arrays from malloc") {
    OwnedCloud from, to;
    from.count = 2;
    from.points = static_cast<zoo::CPoint*>(std::calloc(2, sizeof(zoo::CPoint)));
    auto* weights = static_cast<double*>(std::calloc(2, sizeof(double)));
    from.weights = weights;
    from.points[1] = {2, 3};
    weights[0] = 4;
    CHECK(travel<zooviews::CloudPart>(from, to) == Ints{2, 0, 0, 0x40000000, 0x40400000, 0, 0x40100000, 0, 0});
    travel<zooviews::CloudPart>(from, to);    // the reader frees the old arrays
    REQUIRE(to.count == 2);
    CHECK(to.points[1].y == 3);
    CHECK(to.weights[0] == 4);

    OwnedCloud places;
    CHECK(travel<zooviews::CloudPlaces>(from, places) == Ints{2, 0, 0x40000000});
    CHECK(places.points[1].x == 2);
    CHECK(places.points[1].y == 0);
    CHECK(errorOf<zooviews::CloudPlaces, OwnedCloud>({2, 0}) != "no error");
}

TEST_CASE("ferrygen: an array whose length is in two fields, an array of parts") {
    zoo::Matrix from(2, 3), to(5, 5);
    from.at(1, 2) = 8;
    travel<zooviews::MatrixPart>(from, to);
    CHECK(to.rows() == 2);
    CHECK(to.columns() == 3);
    CHECK(to.at(1, 2) == 8);
    CHECK(errorOf<zooviews::MatrixPart, zoo::Matrix>({1 << 30, 1 << 30, 0, 0}) != "no error");

    zoo::Herd herd(2), read;
    herd.animal(1) = zoo::Access(9, "not sent");
    travel<zooviews::HerdPart>(herd, read);
    REQUIRE(read.size() == 2);
    CHECK(read.animal(1).open == 9);
    CHECK(errorOf<zooviews::HerdPart, zoo::Herd>({40000}) == "int 0 at animals_: expected a count of 32767, found 40000");
}

TEST_CASE("ferrygen: objects behind pointers to a base class come back as what they were, shared ones as one") {
    zoo::Picture from, to;
    from.setFrame(std::make_unique<zoo::Ring>(3, 1));
    from.setOwned(new zoo::Circle(2));
    const auto shared = std::make_shared<zoo::Ring>(5, 4);
    shared->label = "shared";
    from.add(shared);
    from.add(nullptr);
    from.add(shared);
    from.add(std::make_shared<zoo::Circle>(1));
    travel<zooviews::PicturePart>(from, to);
    REQUIRE(to.frame() != nullptr);
    CHECK(to.frame()->area() == 24);
    CHECK(dynamic_cast<const zoo::Ring*>(to.frame()) != nullptr);
    REQUIRE(to.owned() != nullptr);
    CHECK(to.owned()->area() == 12);
    CHECK(dynamic_cast<const zoo::Ring*>(to.owned()) == nullptr);
    REQUIRE(to.shapes().size() == 4);
    CHECK(to.shapes()[0] == to.shapes()[2]);
    CHECK(to.shapes()[0]->area() == 27);
    CHECK(to.shapes()[0]->label == "shared");
    CHECK(to.shapes()[1] == nullptr);
    CHECK(to.shapes()[3]->area() == 3);

    from.setFrame(std::make_unique<zoo::Unlisted>());
    try {
        ferry::test::intsOf(ferry::part<zooviews::PicturePart>(from));
        FAIL("an object of an unlisted class was written");
    } catch (const ferry::UsageError& error) {
        CHECK(std::string(error.what()).find("zoo::Unlisted") != std::string::npos);
    }
}

TEST_CASE("ferrygen: a class with a default view travels wherever it stands") {
    zoo::Park from, to;
    from.byName["lion"] = zoo::Cage(1);
    from.rows = {{zoo::Cage(2)}, {zoo::Cage(3), zoo::Cage(4)}};
    from.gates[1] = zoo::Cage(5);
    from.office = zoo::Cage(6);
    from.first = from.second = std::make_shared<zoo::Cage>(7);
    travel<zooviews::ParkPart>(from, to);
    CHECK(to.byName == from.byName);
    CHECK(to.rows == from.rows);
    CHECK(to.gates == from.gates);
    CHECK(to.office == from.office);
    REQUIRE(to.first != nullptr);
    CHECK(to.first->number() == 7);
    CHECK(to.first == to.second);
    CHECK(ferry::test::valueOf<std::vector<zoo::Cage>>({2, 8, 9})[1].number() == 9);
}

TEST_CASE("ferrygen: circles of raw pointers travel in a graph") {
    std::vector<zoo::Station> ring;
    for (int i = 0; i < 100000; ++i) ring.emplace_back(i);
    for (std::size_t i = 0; i < ring.size(); ++i) ring[i].link(&ring[(i + 1) % ring.size()]);
    const ferry::Graph<zoo::Station> copy = ferry::copyGraph(ring.data());
    const zoo::Station* station = copy.root();
    for (int i = 0; i < 100000; ++i) {
        if (station->number() != i) FAIL("station " << i << " is " << station->number());
        station = station->next();
    }
    CHECK(station == copy.root());

    std::vector<zoo::Station>* stations = &ring;    // pointers to elements of a vector are recognised
    const auto whole = ferry::copyGraph(stations);
    CHECK((*whole)[0].next() == whole->data() + 1);
}

TEST_CASE("ferrygen: files know what parts are made of") {
    const auto textOf = [](auto part) { return ferry::detail::typeTextOf<decltype(part)>(); };
    zoo::Flags flags{};
    zoo::Variant variant;
    zoo::Owner owner;
    zoo::Park park;
    CHECK(textOf(ferry::part<zooviews::FlagsPart>(flags)) == "{uint32,int32,uint8,int32}");
    CHECK(textOf(ferry::part<zooviews::WholeVariant>(variant)) == "{bool,int64}");
    CHECK(textOf(ferry::part<zooviews::ParkPart>(park)).starts_with("{map<string,class zoo::Cage>,"));
    CHECK(textOf(ferry::part<zooviews::OwnerPart>(owner))
              .starts_with("{int32,{int32,float64},sequence<{int32,float64}>,optional<{int32,float64}>,class "));
    zoo::Matrix matrix;
    CHECK(textOf(ferry::part<zooviews::MatrixPart>(matrix)).starts_with("{class "));
}
