#include <ferry/serialization/exception/ValueText.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <forward_list>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/xassert.hpp>

using ferry::detail::textOf;
using namespace std::chrono;

namespace valueText {

/// A range whose elements have the type of the range, like std::filesystem::path.
struct Layers {
    int depth = 0;
    const Layers* begin() const { return this; }
    const Layers* end() const { return this + 1; }
    bool operator==(const Layers&) const = default;
};

/// A tree of any depth. The type does not limit the depth.
struct Tree {
    std::vector<std::pair<int, Tree>> children{};
    auto begin() const { return children.begin(); }
    auto end() const { return children.end(); }
};

/// The range of all natural numbers.
struct Endless {
    struct Iterator {
        int number = 0;
        int operator*() const { return number; }
        Iterator& operator++() {
            ++number;
            return *this;
        }
        bool operator!=(const char*) const { return true; }
    };
    Iterator begin() const { return {}; }
    const char* end() const { return nullptr; }
};

struct Streamed {
    int number = 0;
    bool operator==(const Streamed&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Streamed& streamed) { return out << "no. " << streamed.number; }
};

/// A class that does not give its address to those who ask with &.
struct Placeless {
    const Placeless* operator&() const = delete;
    friend std::ostream& operator<<(std::ostream& out, const Placeless&) { return out << "somewhere"; }
};

/// A class with a stream operator and a formatter. The formatter has priority.
struct Formatted {
    friend std::ostream& operator<<(std::ostream& out, const Formatted&) { return out << "streamed"; }
};

struct Sulking {
    bool operator==(const Sulking&) const { return false; }
    friend std::ostream& operator<<(std::ostream&, const Sulking&) { throw std::logic_error("not\ntoday"); }
};

struct SulkingFormatted {};

struct Titled {
    operator std::string() const { return "Dr."; }
};

enum Plain { First, Second };
enum class Streaming { On };
std::ostream& operator<<(std::ostream& out, Streaming) { return out << "on"; }
enum class Small : unsigned char { Seven = 7 };

struct Members {
    int field = 0;
    void method() const {}
};

void function() {}

}    // namespace valueText

using namespace valueText;

template <>
struct fmt::formatter<Formatted> {
    auto parse(format_parse_context& context) { return context.begin(); }    // not constexpr, as in many programs
    auto format(const Formatted&, format_context& context) const { return fmt::format_to(context.out(), "formatted"); }
};

template <>
struct fmt::formatter<SulkingFormatted> {
    constexpr auto parse(format_parse_context& context) { return context.begin(); }
    auto format(const SulkingFormatted&, format_context& context) const -> decltype(context.out()) { throw 42; }
};

TEST_CASE("textOf: a type that is a range of itself is no range") {
    CHECK(textOf(std::filesystem::path("/data/a b")) == "\"/data/a b\"");
    CHECK(textOf(std::vector<std::filesystem::path>{"a", "b"}) == "[\"a\", \"b\"]");
    CHECK(textOf(Layers()) == "?");
    try {
        const std::filesystem::path one = "one", other = "other";
        xassert(one == other);
        FAIL("xassert returned");
    } catch (const ferry::AssertionFailure& failure) {
        CHECK(failure.values == "\"one\" == \"other\"");
    }
    CHECK_THROWS_AS(xassert(Layers{1} == Layers{2}), ferry::AssertionFailure);
}

TEST_CASE("textOf: only the elements that are shown are read, so a range may be endless") {
    CHECK(textOf(Endless()) == "[0, 1, 2, 3, 4, 5, 6, 7, ...]");
    CHECK(textOf(std::vector<int>(20, 1)) == "[1, 1, 1, 1, 1, 1, 1, 1, ... 20 elements]");
    CHECK(textOf(std::forward_list<int>(8, 1)) == "[1, 1, 1, 1, 1, 1, 1, 1]");
    CHECK(textOf(std::forward_list<int>(9, 1)) == "[1, 1, 1, 1, 1, 1, 1, 1, ...]");
}

TEST_CASE("textOf: a formatter first, then operator<<, in containers too") {
    CHECK(textOf(Formatted()) == "formatted");
    CHECK(textOf(Streamed{3}) == "no. 3");
    CHECK(textOf(std::vector<Streamed>{{1}, {2}}) == "[no. 1, no. 2]");
    CHECK(textOf(Streaming::On) == "on");
    CHECK(textOf(Placeless()) == "somewhere");
    CHECK(textOf(Titled()) == "\"Dr.\"");
}

TEST_CASE("textOf: a text that throws is replaced, and the assertion is thrown all the same") {
    CHECK(textOf(Sulking()) == "<the text of its value threw: not\\ntoday>");
    CHECK(textOf(SulkingFormatted()) == "<the text of its value threw>");
    CHECK_THROWS_AS(xassert(Sulking() == Sulking()), ferry::AssertionFailure);
}

TEST_CASE("textOf: control characters are escaped, so that a zero byte does not end what()") {
    CHECK(textOf(std::string("a\0b\n\t\r\x1b[2J\x7f", 11)) == "\"a\\0b\\n\\t\\r\\x1b[2J\\x7f\"");
    CHECK(textOf(std::string("caf\xc3\xa9 \xc2\x9b")) == "\"caf\xc3\xa9 \\u009b\"");
    CHECK(textOf(std::filesystem::path("a\nb")) == "\"a\\nb\"");
    try {
        const std::string name("a\0b", 3);
        xassert(name.empty(), "no name");
        FAIL("xassert returned");
    } catch (const ferry::AssertionFailure&) {}
    try {
        const std::string name("a\0b", 3);
        xassert(name == "c", "another name");
        FAIL("xassert returned");
    } catch (const ferry::AssertionFailure& failure) {
        CHECK(std::string(failure.what()) == "xassert failed: name == \"c\" (\"a\\0b\" == \"c\"): another name");
    }
}

TEST_CASE("textOf: pairs, tuples, optional values, variants, maps and what is nested") {
    CHECK(textOf(std::pair(1, "x")) == "(1, \"x\")");
    CHECK(textOf(std::tuple(true, 2.5, std::string("z"))) == "(true, 2.5, \"z\")");
    CHECK(textOf(std::tuple<>()) == "()");
    CHECK(textOf(std::optional<int>(4)) == "4");
    CHECK(textOf(std::optional<std::vector<int>>({1, 2})) == "[1, 2]");
    CHECK(textOf(std::optional<int>()) == "nullopt");
    CHECK(textOf(std::nullopt) == "nullopt");
    CHECK(textOf(std::variant<int, std::string>("v")) == "\"v\"");
    CHECK(textOf(std::map<std::string, int>{{"a", 1}, {"b", 2}}) == "[(\"a\", 1), (\"b\", 2)]");
    CHECK(textOf(std::vector<std::vector<int>>{{1}, {2, 3}}) == "[[1], [2, 3]]");
    CHECK(textOf(std::array<Small, 2>{Small::Seven, Small::Seven}) == "[7, 7]");
    const Tree leaf;
    Tree tree;
    for (int height = 0; height < 20; ++height) tree = Tree{{{height, tree}}};
    CHECK(textOf(leaf) == "[]");
    CHECK(textOf(tree) == "[(19, [(18, [...])])]");
}

TEST_CASE("textOf: durations and points in time") {
    CHECK(textOf(5ms) == "5ms");
    CHECK(textOf(duration<double>(1.5)) == "1.5s");
    CHECK(textOf(std::vector<minutes>{2min, 3min}) == "[2min, 3min]");
    CHECK(textOf(duration<int, std::ratio<1, 30>>(3)) == "3[1/30]s");
    CHECK(textOf(sys_days(2026y / November / 22) + 1h + 2us) == "2026-11-22T01:00:00.000002Z");
    CHECK(textOf(sys_seconds(-1s)) == "1969-12-31T23:59:59.000000Z");
    CHECK(textOf(sys_time<nanoseconds>(-1ns)) == "1969-12-31T23:59:59.999999Z");
    CHECK(textOf(sys_time<duration<long long, std::pico>>(-1ns)) == "1969-12-31T23:59:59.999999Z");
    CHECK(textOf(sys_time<hours>::max()) == "9223372036854775807h since 1970");
    CHECK(textOf(steady_clock::time_point(3ns)) == "3ns on its clock");
}

TEST_CASE("textOf: pointers, functions, members, arrays, enums and volatile values") {
    const char* noText = nullptr;
    volatile int number = 3;
    volatile bool yes = true;
    volatile int* const toNumber = &number;
    int Members::*const noMember = nullptr;
    const std::array<char, 4> letters{'a', 'b', 'c', 'd'};
    const char raw[3] = {'a', 'b', 'c'};    // without a zero at the end
    const int numbers[2] = {1, 2};
    CHECK(textOf(noText) == "nullptr");
    CHECK(textOf("text") == "\"text\"");
    CHECK(textOf(raw) == "\"abc\"");
    CHECK(textOf(letters) == "['a', 'b', 'c', 'd']");
    CHECK(textOf(numbers) == "[1, 2]");
    CHECK(textOf(number) == "3");
    CHECK(textOf(yes) == "true");
    CHECK(textOf(toNumber) == textOf(const_cast<const int*>(toNumber)));
    CHECK(textOf(toNumber).substr(0, 2) == "0x");
    CHECK(textOf(function) == textOf(&function));
    CHECK(textOf(&function).substr(0, 2) == "0x");
    CHECK(textOf(&Members::field) == "pointer to member");
    CHECK(textOf(&Members::method) == "pointer to member");
    CHECK(textOf(noMember) == "nullptr");
    CHECK(textOf(std::unique_ptr<int>()) == "nullptr");
    CHECK(textOf(Second) == "1");
    CHECK(textOf(Small::Seven) == "7");
    CHECK(textOf(std::byte{5}) == "5");
    CHECK(textOf(Members()) == "?");
    CHECK_THROWS_WITH_AS(xassert(First == Second), "xassert failed: First == Second (0 == 1)", ferry::AssertionFailure);
    CHECK_THROWS_WITH_AS(xassert(number == 4), "xassert failed: number == 4 (3 == 4)", ferry::AssertionFailure);
}
