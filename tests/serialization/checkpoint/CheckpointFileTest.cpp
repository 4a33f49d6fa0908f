#include <ferry/serialization/checkpoint/CheckpointFile.hpp>

#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <list>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/checkpoint/CheckpointWriter.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

namespace checkpointTest {

class Shape : public ferry::IntSerializableObject {
public:
    virtual double area() const = 0;
};

class Disc : public Shape {
public:
    FERRY_CLASS(checkpointTest::Disc)
    FERRY_FIELDS(radius)
    Disc() = default;
    explicit Disc(double theRadius) : radius(theRadius) {}
    double area() const override { return 3 * radius * radius; }
    double radius = 1;
};

class Polygon : public Shape {
public:
    FERRY_CLASS(checkpointTest::Polygon)
    FERRY_FIELDS(corners, holes)
    double area() const override { return static_cast<double>(corners.size()); }
    std::vector<double> corners;
    std::vector<std::unique_ptr<Shape>> holes;
};

class Ship : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(checkpointTest::Ship)
    FERRY_FIELDS(name)
    std::string name;
};

class Unnamed : public Ship {    // FERRY_CLASS is missing
public:
    int more = 0;
};

}    // namespace checkpointTest

namespace {

using namespace checkpointTest;

using ferry::FileError;
using ferry::FileProblem;
using ferry::test::TemporaryFolder;

struct SettingsOne {
    FERRY_FIELDS_VERSIONED(1, speed)
    int speed = 1;
};
struct SettingsTwo {
    FERRY_FIELDS_VERSIONED(2, speed, port)
    int speed = 2;
    std::string port = "Emden";
};

template <class Function>
FileError errorOf(Function function) {
    try {
        function();
    } catch (const FileError& error) {
        return error;
    }
    FAIL("no FileError was thrown");
    return {};
}

template <class T>
void checkValue(const T& value) {
    const TemporaryFolder folder;
    ferry::save(folder / "value", value);
    CHECK(ferry::load<T>(folder / "value") == value);
    CHECK(folder.fileCount() == 1);
}

}    // namespace

TEST_CASE("save and load: values come back") {
    checkValue(17);
    checkValue(std::string());
    checkValue(std::string("a text of some length"));
    checkValue(std::vector<short>{1, -2, 3});
    checkValue(std::map<int, std::vector<std::string>>{{1, {"one", ""}}, {2, {}}});
    checkValue(std::optional<double>());
    checkValue(std::tuple<>());
}

TEST_CASE("save and load: objects come back as what they were, with all that they own") {
    const TemporaryFolder folder;
    const auto path = folder / "shape";
    Polygon polygon;
    polygon.corners = {1, 2, 3};
    polygon.holes.push_back(std::make_unique<Disc>(7));
    polygon.holes.push_back(nullptr);
    ferry::save(path, polygon);
    const auto again = ferry::load<Polygon>(path);
    CHECK(again.corners == polygon.corners);
    REQUIRE(again.holes.size() == 2);
    CHECK(again.holes[0]->area() == 147);
    CHECK(again.holes[1] == nullptr);

    const auto shape = ferry::load<std::unique_ptr<Shape>>(path);
    CHECK(shape->area() == 3);
    const Shape& anyShape = *shape;
    ferry::save(path, anyShape);    // the file names the class of the object, not that of the reference
    CHECK(ferry::load<Polygon>(path).holes.size() == 2);
    ferry::save(path, std::unique_ptr<Shape>(std::make_unique<Disc>(2)));
    CHECK(ferry::load<Disc>(path).radius == 2);
    ferry::save(path, std::unique_ptr<Shape>());
    CHECK(ferry::load<std::unique_ptr<Shape>>(path) == nullptr);
}

TEST_CASE("save and load: objects larger than a chunk are put together again") {
    const TemporaryFolder folder;
    Polygon polygon;
    polygon.corners.resize(500'000);    // 4 MB; the writer borrows this array
    std::iota(polygon.corners.begin(), polygon.corners.end(), 0.5);
    ferry::save(folder / "polygon", polygon);
    CHECK(ferry::load<Polygon>(folder / "polygon").corners == polygon.corners);
    ferry::CheckpointReader file(folder / "polygon");
    CHECK(file.next().size() == 1 << 18);
    while (!file.next().empty()) {}
    CHECK(file.chunkCount() == 4);
    CHECK(file.intCount() == 1'000'003);

    std::vector<std::string> words;    // the writer copies these strings
    for (int i = 0; i < 200'000; ++i) words.push_back("word " + std::to_string(i));
    ferry::save(folder / "words", words);
    CHECK(ferry::load<std::vector<std::string>>(folder / "words") == words);
}

TEST_CASE("load: a value is loaded as any type with the same stream") {
    const TemporaryFolder folder;
    ferry::save(folder / "numbers", std::vector<int>{1, 2, 3});
    CHECK(ferry::load<std::list<int>>(folder / "numbers") == std::list<int>{1, 2, 3});
    ferry::save(folder / "settings", SettingsOne{5});
    CHECK(ferry::load<SettingsTwo>(folder / "settings").speed == 5);
    CHECK(ferry::load<SettingsTwo>(folder / "settings").port == "Emden");
    ferry::save(folder / "settings", SettingsTwo());
    CHECK(ferry::load<SettingsOne>(folder / "settings").speed == 2);
}

TEST_CASE("load: a file of another type is refused with both names") {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    const std::string prefix = path.native() + ": expected ";
    const auto refusal = [&](auto load) {
        const FileError error = errorOf(load);
        CHECK(error.problem() == FileProblem::OtherType);
        CHECK(error.path() == path);
        const std::string text = error.what();
        REQUIRE(text.substr(0, prefix.size()) == prefix);
        return text.substr(prefix.size());
    };
    ferry::save(path, std::vector<int>{1});
    CHECK(refusal([&] { ferry::load<std::vector<short>>(path); }) ==
          "a value of type packed<int16>, found a value of type sequence<int32>");
    CHECK(refusal([&] { ferry::load<Disc>(path); }) == "an object of checkpointTest::Disc, found a value of type sequence<int32>");
    ferry::save(path, Disc());
    CHECK(refusal([&] { ferry::load<Polygon>(path); }) == "an object of checkpointTest::Polygon, found an object of checkpointTest::Disc");
    CHECK(refusal([&] { ferry::load<double>(path); }) == "a value of type float64, found an object of checkpointTest::Disc");
    CHECK(refusal([&] { ferry::load<std::unique_ptr<Ship>>(path); }) ==
          "an object of a class derived from checkpointTest::Ship, found an object of checkpointTest::Disc");
    ferry::save(path, std::unique_ptr<Shape>());
    CHECK(refusal([&] { ferry::load<Disc>(path); }) == "an object of checkpointTest::Disc, found a null pointer");
}

TEST_CASE("load: a class that the program lacks is named; other missing classes do not matter") {
    const TemporaryFolder folder;
    ferry::save(folder / "disc", Disc(4));
    Polygon polygon;
    polygon.holes.push_back(std::make_unique<Disc>());
    ferry::save(folder / "polygon", polygon);

    ferry::ObjectFactory small;
    small.add<Disc>();
    CHECK(ferry::load<Disc>(folder / "disc", small).radius == 4);
    CHECK(ferry::load<std::unique_ptr<Shape>>(folder / "disc", small)->area() == 48);

    ferry::ObjectFactory other;
    other.add<Polygon>();
    const auto checkUnknown = [&](auto load, const std::string& file) {
        try {
            load();
            FAIL("no error");
        } catch (const ferry::UnknownClass& error) {
            CHECK(error.unknownId() == ferry::detail::classIdOf("checkpointTest::Disc"));
            const std::string text = error.what();
            CHECK(text.find("(checkpointTest::Disc)") != std::string::npos);
            CHECK(text.find((folder / file).native()) == 0);
        }
    };
    checkUnknown([&] { ferry::load<std::unique_ptr<Shape>>(folder / "disc", other); }, "disc");
    checkUnknown([&] { ferry::load<Polygon>(folder / "polygon", other); }, "polygon");
}

TEST_CASE("load: contents that the type does not accept are an error that names file and place") {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    const auto description = ferry::FileDescription::of(ferry::FileKind::Value, "tuple<int32,bool>");
    ferry::CheckpointWriter(path, description).put(std::vector<std::int32_t>{5, 2}, true);
    const auto textOf = [&](auto load) -> std::string {
        try {
            load();
        } catch (const ferry::SerializationError& error) {
            return error.what();
        }
        return "no error";
    };
    CHECK(textOf([&] { ferry::load<std::pair<int, bool>>(path); }) == path.native() + ": int 1 at [1]: expected a bool (0 or 1), found 2");
    ferry::CheckpointWriter(path, description).put(std::vector<std::int32_t>{5, 1, 1}, true);
    CHECK(textOf([&] { ferry::load<std::pair<int, bool>>(path); }) == path.native() + ": int 2: expected the end, found 1 more int");
    ferry::CheckpointWriter(path, ferry::FileDescription::of(ferry::FileKind::Object, "checkpointTest::Disc"))
        .put(std::vector<std::int32_t>{1, 0, 0}, true);
    CHECK(textOf([&] { ferry::load<Disc>(path); }).find("expected the class ID of the file's description") != std::string::npos);
}

TEST_CASE("save: what cannot travel leaves the old file") {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    ferry::save(path, 5);
    CHECK_THROWS_AS(ferry::save(path, Unnamed()), ferry::UsageError);
    CHECK(ferry::load<int>(path) == 5);
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("save, load: no file stays open, whether it can be read or not") {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    const auto openCount = [] {
        const std::filesystem::directory_iterator open("/proc/self/fd");
        return std::distance(begin(open), end(open));
    };
    ferry::save(path, std::vector<int>(100'000, 7));
    std::ofstream(folder / "noise") << "no file of Ferry";
    const auto before = openCount();
    for (int round = 0; round < 20; ++round) {
        ferry::save(path, std::vector<int>(100'000, round));
        CHECK(ferry::load<std::vector<int>>(path).front() == round);
        CHECK_THROWS(ferry::load<std::string>(path));
        CHECK_THROWS(ferry::load<int>(folder / "noise"));
        CHECK_THROWS(ferry::load<int>(folder / "missing"));
    }
    CHECK(openCount() == before);
}
