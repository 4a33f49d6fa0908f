#include <ferry/serialization/checkpoint/TypeText.hpp>

#include <bitset>
#include <chrono>
#include <complex>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>

namespace typeTextTest {

class Vessel : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(typeTextTest::Vessel)
    FERRY_FIELDS(tons)
    int tons = 0;
};

}    // namespace typeTextTest

namespace {

using typeTextTest::Vessel;

using ferry::detail::typeTextOf;

enum class Colour : std::uint8_t { Red };

struct Point {
    double x = 0, y = 0;
};

struct Tree {
    FERRY_FIELDS(label, left, right)
    std::string label;
    std::unique_ptr<Tree> left, right;
};

struct Linked {    // only a graph can hold this class
    FERRY_FIELDS(value, next)
    int value = 0;
    Linked* next = nullptr;
};

struct RoomOne {
    FERRY_FIELDS_VERSIONED(1, seats)
    int seats = 0;
};
struct RoomTwo {
    FERRY_FIELDS_VERSIONED(2, seats, name)
    int seats = 0;
    std::string name;
};
struct RoomOther {
    FERRY_FIELDS_VERSIONED(2, seats, beamer)
    int seats = 0;
    bool beamer = false;
};
struct Hall : RoomOne {
    FERRY_FIELDS_AFTER(RoomOne, stage)
    double stage = 0;
};
struct Shown {
    FERRY_FIELDS(ferry::part<ferry::View<&Point::y>>(point), ferry::part<ferry::View<&Point::x>>(points))
    Point point;
    std::vector<Point> points;
};
struct Named {
    FERRY_FIELDS(value)
    int value = 0;
};
struct Opaque {
    void writeToInts(ferry::IntWriter&) const {}
    void readFromInts(ferry::IntReader&) {}
};
}    // namespace

template <>
inline constexpr std::string_view ferry::fileTypeName<Named> = "acme::Named";

TEST_CASE("TypeText: numbers have their size, whatever the compiler calls them") {
    CHECK(typeTextOf<bool>() == "bool");
    CHECK(typeTextOf<char>() == "char");
    CHECK(typeTextOf<signed char>() == "int8");
    CHECK(typeTextOf<unsigned short>() == "uint16");
    CHECK(typeTextOf<long>() == typeTextOf<long long>());
    CHECK(typeTextOf<const float>() == "float32");
    CHECK(typeTextOf<Colour>() == "uint8");
    CHECK(typeTextOf<std::complex<double>>() == "complex<float64>");
    CHECK(typeTextOf<std::chrono::milliseconds>() == "duration<int64,1/1000>");
    CHECK(typeTextOf<std::chrono::sys_seconds>() == "time<duration<int64,1/1>>");
    CHECK(typeTextOf<std::bitset<7>>() == "bitset<7>");
}

TEST_CASE("TypeText: containers of one stream have one text") {
    CHECK(typeTextOf<std::string>() == "string");
    CHECK(typeTextOf<std::filesystem::path>() == "string");
    CHECK(typeTextOf<std::vector<int>>() == "sequence<int32>");
    CHECK(typeTextOf<std::list<int>>() == "sequence<int32>");
    CHECK(typeTextOf<std::span<const int>>() == "sequence<int32>");
    CHECK(typeTextOf<std::vector<short>>() == "packed<int16>");
    CHECK(typeTextOf<std::deque<short>>() == "sequence<int16>");
    CHECK(typeTextOf<std::vector<bool>>() == "bits");
    CHECK(typeTextOf<std::vector<Point>>() == "sequence<{float64,float64}>");
    CHECK(typeTextOf<std::array<short, 3>>() == "array<int16,3>");
    CHECK(typeTextOf<std::set<int>>() == "set<int32>");
    CHECK(typeTextOf<std::unordered_map<int, std::string>>() == "map<int32,string>");
    CHECK(typeTextOf<std::multimap<int, std::string>>() == "map<int32,string>");
    CHECK(typeTextOf<std::pair<int, bool>>() == "tuple<int32,bool>");
    CHECK(typeTextOf<std::tuple<>>() == "tuple<>");
    CHECK(typeTextOf<std::variant<std::monostate, int>>() == "variant<nothing,int32>");
    CHECK(typeTextOf<std::optional<int>>() == typeTextOf<std::unique_ptr<int>>());
    CHECK(typeTextOf<std::shared_ptr<const int>>() == "shared<int32>");
}

TEST_CASE("TypeText: classes are what they consist of, or have a name") {
    CHECK(typeTextOf<Tree>() == "{string,optional<^1>,optional<^1>}");
    CHECK(typeTextOf<std::vector<Tree>>() == "sequence<{string,optional<^1>,optional<^1>}>");
    CHECK(typeTextOf<Linked>() == "{int32,pointer<^1>}");
    CHECK(typeTextOf<RoomTwo>() == "[int32,string]");
    CHECK(typeTextOf<Hall>() == "{[int32],float64}");
    CHECK(typeTextOf<Shown>() == "{{float64},sequence<{float64}>}");
    CHECK(typeTextOf<Named>() == "acme::Named");
    CHECK(typeTextOf<Opaque>() == "class (anonymous namespace)::Opaque");
    CHECK(typeTextOf<Vessel>() == "class typeTextTest::Vessel");
    CHECK(typeTextOf<std::vector<std::unique_ptr<Vessel>>>() == "sequence<object>");
    CHECK(typeTextOf<std::shared_ptr<Vessel>>() == "shared<object>");
    CHECK(typeTextOf<std::weak_ptr<Vessel>>() == "weak<object>");
}

TEST_CASE("TypeText: types are the same when their texts are, but for fields that versions have added") {
    using ferry::detail::isSameType;
    const auto same = [](std::string_view left, std::string_view right) {
        CHECK(isSameType(left, right) == isSameType(right, left));
        return isSameType(left, right);
    };
    CHECK(same("int32", "int32"));
    CHECK_FALSE(same("int32", "int16"));
    CHECK_FALSE(same("int3", "int32"));
    CHECK_FALSE(same("", "int32"));
    CHECK(same(typeTextOf<RoomOne>(), typeTextOf<RoomTwo>()));
    CHECK(same(typeTextOf<std::map<int, RoomOne>>(), typeTextOf<std::map<int, RoomTwo>>()));
    CHECK_FALSE(same(typeTextOf<RoomTwo>(), typeTextOf<RoomOther>()));
    CHECK(same("[]", "[int32]"));
    CHECK(same("{[int32],bool}", "{[int32,map<int32,{[bool],char}>],bool}"));
    CHECK(same("[[int32],bool]", "[[int32,char],bool,char]"));
    CHECK_FALSE(same("[int]", "[int32]"));
    CHECK_FALSE(same("{int32}", "{int32,bool}"));
    CHECK_FALSE(same("{int32}", "[int32]"));
    CHECK_FALSE(same("[int32", "[int32,bool]"));
    CHECK_FALSE(same("[int32]", "[int32,bool"));
    CHECK_FALSE(same("]", ","));
    CHECK_FALSE(same("[int32]]", "[int32,bool]"));
    CHECK_FALSE(same("[>", "[]"));
    CHECK_FALSE(same("sequence<[}>", "sequence<[]>"));
    CHECK_FALSE(same("[int32]", "[int32,<]]"));
    CHECK(same("acme::a->b", "acme::a->b"));
}

namespace {

/// Whether each bracket has its counterpart.
bool areBracketsWhole(std::string_view text) {
    std::string open;
    for (const char character : text) {
        const std::size_t opening = std::string_view("[{<").find(character), closing = std::string_view("]}>").find(character);
        if (opening != std::string_view::npos) open.push_back("]}>"[opening]);
        if (closing == std::string_view::npos) continue;
        if (open.empty() || open.back() != character) return false;
        open.pop_back();
    }
    return open.empty();
}

/// The text without the fields that a version may lack: without all that stands in [].
std::string withoutVersions(std::string_view text) {
    std::string kept;
    std::size_t depth = 0;
    for (const char character : text) {
        if (character == ']') --depth;
        if (depth == 0) kept.push_back(character);
        if (character == '[') ++depth;
    }
    return kept;
}

}    // namespace

TEST_CASE("TypeText: a damaged text is never the text of a type, and every comparison ends") {
    constexpr std::string_view alphabet = "[]{}<>,a";
    constexpr std::size_t longest = 4;
    std::size_t sameCount = 0, textCount = 0;
    for (const std::string_view own : {"[]", "{}", "[a]", "{[]}", "[[]]", "a<[]>", "[a,[a]]"}) {
        std::string text;
        for (std::size_t number = 0; text.size() <= longest; ++number) {
            text.clear();    // the digits of the number, so that each text comes once
            for (std::size_t rest = number; rest != 0; rest = (rest - 1) / alphabet.size())
                text.push_back(alphabet[(rest - 1) % alphabet.size()]);
            if (text.size() > longest) break;
            ++textCount;
            const bool isSame = ferry::detail::isSameType(own, text);
            bool isRight = isSame == ferry::detail::isSameType(text, own);
            if (isSame) isRight = isRight && areBracketsWhole(text) && withoutVersions(text) == withoutVersions(own);
            if (!isRight) FAIL_CHECK(own, " and ", text);
            if (isSame) ++sameCount;
        }
    }
    CHECK(textCount == 7 * 4681);    // 1 + 8 + ... + 8^4
    CHECK(sameCount > 7);
}
