#include <ferry/serialization/CodecAggregate.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry::test;

namespace {

struct Point {
    int x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

struct Line {
    Point from, to;
    std::string name;
    bool operator==(const Line&) const = default;
};

struct Chain {
    int value = 0;
    std::unique_ptr<Chain> next;
};

struct Nothing {};

}    // namespace

TEST_CASE("CodecAggregate: a plain struct travels without a line of code") {
    CHECK(checkTravel(Point{1, 2}, {1, 2}) == Point{1, 2});
    const Line line{{1, 2}, {3, 4}, "a"};
    CHECK(checkTravel(line, {1, 2, 3, 4, 1, 'a'}) == line);
    const std::map<int, Line> lines{{5, line}};
    CHECK(checkTravel(lines, {1, 5, 1, 2, 3, 4, 1, 'a'}) == lines);
    CHECK(intsOf(Nothing{}).empty());
    static_assert(ferry::isImage<Point>);
    static_assert(ferry::minInts<Line> == 5);
}

TEST_CASE("CodecAggregate: a struct may own others of its kind") {
    Chain chain;
    chain.next = std::make_unique<Chain>();
    chain.next->value = 2;
    CHECK(checkTravel(Chain{}, {0, 0}).next == nullptr);
    CHECK(intsOf(chain) == Ints{0, 1, 2, 0});
    CHECK(valueOf<Chain>({0, 1, 2, 0}).next->value == 2);
}

TEST_CASE("CodecAggregate: an error names the index of the field") {
    CHECK(errorOf<Line>({1, 2, 3, 4, 7}) == "int 4 at [2]: expected a count of at most 0, found 7");
    CHECK(errorOf<Line>({1, 2, 3}) == "int 2 at [1]: expected 2 more ints, found 1");
}
