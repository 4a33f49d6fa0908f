#include <ferry/serialization/text/Json.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/text/Xml.hpp>

using namespace ferry;

namespace jsontest {

enum class Kind : short { Small = 1, Large = -7 };

struct Point {
    double x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

struct Room {
    std::string name;
    std::vector<int> seats;
    Kind kind = Kind::Small;
    std::optional<Point> door;
    FERRY_FIELDS(name, seats, kind, door)
    friend bool operator==(const Room&, const Room&) = default;
};

struct Furnished {
    int chairs = 0;
    FERRY_FIELDS(chairs)
    friend bool operator==(const Furnished&, const Furnished&) = default;
};
struct Hall : Room, Furnished {
    std::map<std::string, Room> besides;
    FERRY_FIELDS_AFTER(Room, ferry::baseOf<Furnished>(*this), besides)
    friend bool operator==(const Hall&, const Hall&) = default;
};

using Either = std::variant<int, std::string>;
struct Titled : Either {
    int title = 0;
    FERRY_FIELDS_AFTER(Either, title)
};
struct SeatRow : std::vector<int> {
    int title = 0;
    FERRY_FIELDS_AFTER(std::vector<int>, title)
};
/// Has no members of its own. The compiler cannot tell, since a variant has room at its end.
struct Answer : Either {
    using Either::Either;
};
struct Ticket : std::unique_ptr<int> {
    using Pointer = std::unique_ptr<int>;
    int title = 0;
    FERRY_FIELDS_AFTER(Pointer, title)
};
struct SharedNumber : std::shared_ptr<int> {};

struct Tree {
    std::vector<Tree> branches;
    FERRY_FIELDS(branches)
};

/// Takes much more memory than its JSON.
struct Wide {
    int number = 0;
    std::array<char, 32768> room{};
    FERRY_FIELDS_SOME(number)
};

struct OneBucket {
    std::size_t operator()(int) const { return 7; }
};

/// Neither copied nor moved.
struct Fixed {
    int number = 0;
    Fixed() = default;
    Fixed(const Fixed&) = delete;
    Fixed& operator=(const Fixed&) = delete;
    FERRY_FIELDS(number)
};

/// An array of JSON that has this element again and again.
std::string arrayOf(const std::string& element, std::size_t count) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + element;
    return text + ']';
}

/// The text of the error by which the function ends.
template <class Work>
std::string refusalOf(const Work& work) {
    try {
        work();
    } catch (const SerializationError& error) {
        return error.what();
    }
    return "no error";
}

template <class T>
void jsonGoesThrough(const T& value, const std::string& text) {
    CHECK(toJson(value) == text);
    CHECK(fromJson<T>(text) == value);
    CHECK(fromXml<T>(toXml(value)) == value);
}

}    // namespace jsontest

template <>
inline constexpr bool ferry::hasNoOtherMembers<jsontest::Answer> = true;

using namespace jsontest;

TEST_CASE("JSON: numbers, texts and enums go there and back") {
    jsonGoesThrough(7, "7");
    jsonGoesThrough(true, "true");
    jsonGoesThrough(std::numeric_limits<std::int64_t>::min(), "-9223372036854775808");
    jsonGoesThrough(std::numeric_limits<std::uint64_t>::max(), "18446744073709551615");
    jsonGoesThrough(0.1, "0.1");
    jsonGoesThrough(1e300, "1e+300");
    jsonGoesThrough('a', "97");
    jsonGoesThrough(Kind::Large, "-7");
    jsonGoesThrough(std::string("a \"word\"\n\\"), R"("a \"word\"\n\\")");
    jsonGoesThrough(std::numeric_limits<double>::infinity(), "\"inf\"");
    CHECK(fromJson<double>(toJson(std::numeric_limits<double>::quiet_NaN())) != fromJson<double>("0"));
    for (const float number : {0.1F, 1e-40F, 16777216.0F, -3.4e38F}) CHECK(fromJson<float>(toJson(number)) == number);
    CHECK(fromJson<double>("3") == 3);
}

TEST_CASE("JSON: containers, pairs, variants and pointers go there and back") {
    jsonGoesThrough(std::vector<bool>{true, false}, "[true,false]");
    jsonGoesThrough(std::list<std::string>{"a", "b"}, R"(["a","b"])");
    jsonGoesThrough(std::array<int, 2>{1, 2}, "[1,2]");
    jsonGoesThrough(std::set<int>{3, 1}, "[1,3]");
    jsonGoesThrough(std::map<std::string, int>{{"one", 1}, {"two", 2}}, R"({"one":1,"two":2})");
    jsonGoesThrough(std::map<int, std::string>{{1, "one"}}, R"([[1,"one"]])");
    jsonGoesThrough(std::unordered_map<std::string, double>{{"pi", 3.5}}, R"({"pi":3.5})");
    jsonGoesThrough(std::pair<int, std::string>{1, "x"}, R"([1,"x"])");
    jsonGoesThrough(std::tuple<int, bool, double>{1, true, 0.5}, "[1,true,0.5]");
    jsonGoesThrough(std::variant<int, std::string>{"x"}, R"([1,"x"])");
    jsonGoesThrough(std::optional<int>{}, "null");
    jsonGoesThrough(std::vector<std::optional<int>>{1, std::nullopt}, "[1,null]");
    jsonGoesThrough(std::chrono::milliseconds(5), "5");
    jsonGoesThrough(std::complex<double>(1, -2), "[1.0,-2.0]");
    jsonGoesThrough(std::filesystem::path("/a/b"), "\"/a/b\"");
    CHECK(*fromJson<std::unique_ptr<int>>(toJson(std::make_unique<int>(4))) == 4);
    CHECK(*fromJson<std::shared_ptr<const std::string>>("\"x\"") == "x");
    CHECK(fromJson<std::unique_ptr<int>>("null") == nullptr);
}

TEST_CASE("JSON: classes with FERRY_FIELDS are objects, plain structs are arrays") {
    jsonGoesThrough(Point{1, 2}, "[1.0,2.0]");
    const Room room{"Aula", {30, 2}, Kind::Large, Point{0.5, 0}};
    const std::string text = R"({"name":"Aula","seats":[30,2],"kind":-7,"door":[0.5,0.0]})";
    jsonGoesThrough(room, text);
    Hall hall;
    hall.name = "big";
    hall.chairs = 4;
    hall.besides = {{"left", room}};
    jsonGoesThrough(hall,
                    R"({"Room":{"name":"big","seats":[],"kind":1,"door":null},"Furnished":{"chairs":4},"besides":{"left":)" + text + "}}");
    CHECK(fromJson<Room>(R"( { "seats": [], "door": null, "kind": 1, "name": "" } )") == Room());    // in any order
}

TEST_CASE("JSON: a class that derives from a variant, a pointer or a container has its own fields besides") {
    const auto titled = fromJson<Titled>(R"({"Either":[1,"seven"],"title":99})");
    CHECK(std::get<1>(titled) == "seven");
    CHECK(titled.title == 99);
    CHECK(toJson(titled) == R"({"Either":[1,"seven"],"title":99})");
    const auto handle = fromJson<Ticket>(R"({"Pointer":7,"title":99})");
    CHECK(*handle == 7);
    CHECK(toJson(handle) == R"({"Pointer":7,"title":99})");
    const auto seats = fromJson<SeatRow>(R"({"std::vector<int>":[1,2],"title":99})");
    CHECK(seats.size() == 2);
    CHECK(toJson(seats) == R"({"std::vector<int>":[1,2],"title":99})");
    CHECK(toJson(Answer(7)) == "[0,7]");
    CHECK(toJson(SharedNumber()) == "null");
}

TEST_CASE("JSON: texts that do not fit are refused, with the place") {
    const auto problem = [](const std::string& text) -> std::string {
        try {
            static_cast<void>(fromJson<std::vector<Room>>(text));
        } catch (const SerializationError& error) {
            return error.what();
        }
        return "";
    };
    const auto withDoor = [](const std::string& door) { return R"([{"name":"","seats":[1],"kind":1,"door":)" + door + "}]"; };
    CHECK(problem(withDoor("null")) == "");
    CHECK(problem(withDoor("[1]")).find("expected an array of 2 values, found 1") != std::string::npos);
    CHECK(problem(withDoor("[1]")).find("[0].door") != std::string::npos);
    CHECK(problem(withDoor("[1, \"x\"]")).find("expected a number, found \"x\"") != std::string::npos);
    CHECK(problem(R"([{"name":"","seats":[1,true],"kind":1,"door":null}])").find("[0].seats[1]") != std::string::npos);
    CHECK(problem(R"([{"name":"","seats":[3000000000],"kind":1,"door":null}])").find("from -2147483648 to 2147483647") !=
          std::string::npos);
    CHECK(problem(R"([{"name":"","seats":[],"kind":1}])").find("expected a member \"door\"") != std::string::npos);
    CHECK(problem(R"([{"name":"","seats":[],"kind":1,"door":null,"more":1}])").find("expected no member \"more\"") != std::string::npos);
    CHECK(problem("[{]").find("expected JSON, found at byte") != std::string::npos);
    for (const char* text : {"", "{}", "[1]", "null", "[{}", "[]]", "nan", "[1e999]"}) CHECK(problem(text) != "");
    CHECK_THROWS_AS(fromJson<unsigned>("-1"), SerializationError);
    CHECK_THROWS_AS(fromJson<std::uint64_t>("18446744073709551616"), SerializationError);
    CHECK_THROWS_AS(fromJson<std::int64_t>("9223372036854775808"), SerializationError);
    CHECK_THROWS_AS(fromJson<int>("1.5"), SerializationError);
    CHECK_THROWS_AS((fromJson<std::variant<int, bool>>("[2,1]")), SerializationError);
}

TEST_CASE("JSON: a number arrives as it stands, or is refused, for each type of number") {
    const auto check = []<class T>(T, const std::vector<std::string>& taken, const std::vector<std::string>& refused) {
        for (const std::string& text : taken) {
            INFO(text);
            CHECK(static_cast<long double>(fromJson<T>(text)) == static_cast<long double>(std::strtod(text.c_str(), nullptr)));
            CHECK(fromXml<T>("<number>" + text + "</number>") == fromJson<T>(text));
        }
        for (const std::string& text : refused) {
            INFO(text);
            CHECK_THROWS_WITH_AS(static_cast<void>(fromJson<T>(text)), doctest::Contains("expected "), SerializationError);
        }
    };
    // Other programs write integers as reals: XSLT has 1.0E6, where Ferry has 1000000.
    check(int{}, {"1.0", "1e3", "1.0E6", "-0", "-0.0", "-2147483648.0", "2147483647.0"},
          {"2147483648.0", "-2147483649.0", "0.5", "1e-9", "1e300"});
    check(std::uint8_t{}, {"-0", "-0.0", "255.0", "2.55e2"}, {"256.0", "-1.0", "255.5"});
    check(std::int64_t{}, {"9007199254740992.0", "-9007199254740992.0"}, {"9007199254740994.0", "-9007199254740994.0", "1e18", "9.3e18"});
    check(std::uint64_t{}, {"9007199254740992.0"}, {"-1.0", "18446744073709551616"});
    check(Kind{}, {"-7.0"}, {"0.5"});
    check(float{}, {"0.5", "3", "-0.0", "16777216"}, {"3.4028236e38", "-3.4028236e38", "1e300", "1e39", "1" + std::string(50, '0')});
    CHECK(fromJson<float>("3.4028235e38") == std::numeric_limits<float>::max());    // as most programs write it, and a little more
    CHECK(fromJson<float>("-3.4028235e38") == std::numeric_limits<float>::lowest());
    CHECK(fromJson<float>("\"-inf\"") == -std::numeric_limits<float>::infinity());
    CHECK(std::isnan(fromJson<float>("\"nan\"")));
    check(double{}, {"1e300", "4e-320", "3", "-18446744073709551616"}, {"1e309", "-1e309"});
}

TEST_CASE("JSON: all bytes of the text count, a byte 0 too") {
    for (const std::string& end : {std::string("\0", 1), std::string("\0x", 2), std::string("\0]", 2)}) {
        CHECK_THROWS_WITH_AS(fromJson<int>("1" + end), doctest::Contains("found a byte 0 at byte 2"), SerializationError);
        CHECK_THROWS_AS(fromJson<std::vector<int>>("[1]" + end), SerializationError);
        CHECK_THROWS_AS(fromJson<std::vector<int>>("[1" + end), SerializationError);
        CHECK_THROWS_AS(fromJson<std::string>("\"1" + end), SerializationError);
    }
}

TEST_CASE("JSON: values that are nested too deep are refused on both sides") {
    Tree tree;
    for (int i = 0; i < 40; ++i) {
        Tree around;
        around.branches.push_back(std::move(tree));
        tree = std::move(around);
    }
    CHECK_THROWS_WITH_AS(toJson(tree), doctest::Contains("nested deeper than 64 levels"), UsageError);
    std::string text = "[]";
    for (int i = 0; i < 10'000; ++i) text = "[" + text + "]";
    CHECK_THROWS_AS(fromJson<std::vector<int>>(text), SerializationError);
    std::string trees = R"({"branches":[]})";
    for (int i = 0; i < 1000; ++i) trees = R"({"branches":[)" + trees + "]}";
    CHECK_THROWS_AS(fromJson<Tree>(trees), SerializationError);
    for (int i = 0; i < 20; ++i) tree = Tree(std::move(tree.branches.front()));
    CHECK(toJson(fromJson<Tree>(toJson(tree))) == toJson(tree));
}

TEST_CASE("JSON: what would be lost is refused, or has another form") {
    using Names = std::multimap<std::string, int>;
    const Names names{{"a", 1}, {"a", 2}};
    CHECK(toJson(names) == R"([["a",1],["a",2]])");
    CHECK(fromJson<Names>(toJson(names)) == names);
    CHECK(fromJson<std::multiset<int>>("[1,1]").size() == 2);
    CHECK_THROWS_AS(fromJson<std::set<int>>("[1,1]"), SerializationError);
    CHECK_THROWS_AS((fromJson<std::map<int, int>>("[[1,2],[1,3]]")), SerializationError);
    CHECK_THROWS_WITH_AS((fromJson<std::map<std::string, int>>(R"({"a":1,"a":2})")), doctest::Contains("found \"a\" again"),
                         SerializationError);
    CHECK((fromJson<std::vector<std::map<std::string, int>>>(R"([{"a":1},{"a":2}])")).size() == 2);
    CHECK_THROWS_WITH_AS(toJson(std::string("a\xff")), doctest::Contains("found other bytes in \"a\\ufffd\""), UsageError);
    CHECK_THROWS_AS(toJson(std::filesystem::path("a\xff")), UsageError);
    CHECK_THROWS_AS((toJson(std::map<std::string, int>{{"a\xff", 1}, {"a\xfe", 2}})), UsageError);
    CHECK_THROWS_WITH_AS(toJson(std::string(1000, 'x') + '\xff'), doctest::Contains("xxx ...: let bytes travel"), UsageError);
    jsonGoesThrough(std::string("\xc3\xa4\0\xe2\x82\xac", 6), "\"\xc3\xa4\\u0000\xe2\x82\xac\"");
}

TEST_CASE("JSON: the text of an error is short, however long the JSON is") {
    const std::string longText(100'000, 'x');
    const auto textOf = [](const auto& read) -> std::string {
        try {
            read();
        } catch (const SerializationError& error) {
            return error.what();
        }
        return "no error";
    };
    using Numbers = std::map<std::string, int>;
    const std::vector<std::string> texts{
        textOf([&] { fromJson<int>('"' + longText + '"'); }),
        textOf([&] { fromJson<int>(std::string(100'000, '9')); }),
        textOf([&] { fromJson<double>(std::string(100'000, '9')); }),
        textOf([&] { fromJson<Tree>("{\"" + longText + "\":1}"); }),
        textOf([&] { fromJson<Numbers>("{\"" + longText + "\":1,\"" + longText + "\":2}"); }),
        textOf([&] { fromJson<Numbers>("{\"" + longText + "\":\"" + longText + "\"}"); }),
        textOf([&] { fromJson<std::string>('"' + longText + "\xff\""); }),
        textOf([&] { fromJson<std::string>('"' + longText); }),
    };
    for (const std::string& text : texts) {
        CHECK(text.size() <= 1500);
        CHECK(text.find("expected") != std::string::npos);
    }
}

TEST_CASE("JSON: memory and time are in proportion to the text") {
    const std::string nulls = arrayOf("null", 40'000);
    using Wides = std::vector<std::optional<Wide>>;
    CHECK(refusalOf([&] { fromJson<Wides>(nulls); }).find("192 for each byte of the JSON, and 16777216 more), found 1311040000 bytes") !=
          std::string::npos);
    CHECK(refusalOf([&] { fromJson<std::list<std::optional<Wide>>>(nulls); }).find("memoryPerByte") != std::string::npos);
    CHECK(refusalOf([&] { fromJson<std::vector<std::shared_ptr<Wide>>>(arrayOf(R"({"number":1})", 10'000)); }).find("memoryPerByte") !=
          std::string::npos);
    CHECK(refusalOf([&] { fromJson<std::vector<std::deque<int>>>(arrayOf("[]", 500'000)); }).find("memoryBase") != std::string::npos);
    CHECK(refusalOf([&] { fromJson<std::map<int, Wide>>(arrayOf(R"([1,{"number":1}])", 2'000)); }).find("memoryBase") != std::string::npos);
    CHECK(fromJson<Wides>(arrayOf("null", 400)).size() == 400);
    ReadLimits limits;
    limits.memoryBase = 1000;
    CHECK(fromJson<std::vector<int>>("[1,2]", limits).size() == 2);
    CHECK(refusalOf([&] { fromJson<Wides>("[null]", limits); }).find("give ferry::fromJson a ferry::ReadLimits") != std::string::npos);
    limits.memoryPerByte = 10'000;
    CHECK(fromJson<Wides>("[null]", limits).size() == 1);
    limits.depth = 2;
    CHECK(refusalOf([&] { fromJson<std::vector<std::vector<std::vector<int>>>>("[[[1]]]", limits); }).find("at most 2 deep") !=
          std::string::npos);

    std::string numbers = "[0";
    for (int i = 1; i < 60'000; ++i) numbers += ',' + std::to_string(i);
    numbers += ']';
    CHECK(fromJson<std::unordered_set<int>>(numbers).size() == 60'000);
    using Crowded = std::unordered_set<int, OneBucket>;
    CHECK(refusalOf([&] { fromJson<Crowded>(numbers); }).find("expected keys that spread over their hash table") != std::string::npos);
    CHECK(refusalOf([] {
              fromJson<std::vector<int>>(std::string(1'000'000, '[') + std::string(1'000'000, ']'));
          }).find("expected an integer, found an array") != std::string::npos);
}

TEST_CASE("JSON: elements that cannot be moved are read where they stay") {
    CHECK(fromJson<std::list<Fixed>>(R"([{"number":1},{"number":2}])").back().number == 2);
    CHECK(fromJson<std::vector<Fixed>>(R"([{"number":1},{"number":2}])").back().number == 2);
    CHECK(fromJson<std::map<std::string, Fixed>>(R"({"a":{"number":3}})").at("a").number == 3);
    CHECK(fromJson<std::map<int, Fixed>>(R"([[1,{"number":4}]])").at(1).number == 4);
    CHECK_THROWS_AS((fromJson<std::map<int, Fixed>>(R"([[1,{"number":4}],[1,{"number":4}]])")), SerializationError);
}
