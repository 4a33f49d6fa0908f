#include <ferry/serialization/codec/CodecAggregate.hpp>

#include <any>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
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
    static_assert(ferry::detail::isImage<Point>);
    static_assert(ferry::detail::minInts<Line> == 5);
}

namespace {

struct Row {    // arrays are fields
    double place[3];
    int number;
};
struct Table {
    char name[40];
    Row rows[2];
    int matrix[2][2];
    std::string text;
};

}    // namespace

TEST_CASE("CodecAggregate: a C array is one field of a plain struct") {
    const Row row{{1, 2, 3}, 4};
    const Ints ints = intsOf(row);
    CHECK(ints.size() == 7);
    CHECK(ints == intsOf(std::pair<std::array<double, 3>, int>({1, 2, 3}, 4)));
    const Row copy = valueOf<Row>(ints);
    CHECK((copy.place[2] == 3 && copy.number == 4));
    CHECK(errorOf<Row>(Ints(ints.begin(), ints.end() - 1)).find("expected") != std::string::npos);
    Table table{"a name", {row, row}, {{1, 2}, {3, 4}}, "text"};
    const Table read = valueOf<Table>(intsOf(table));
    CHECK((std::string(read.name) == "a name" && read.rows[1].number == 4 && read.matrix[1][0] == 3 && read.text == "text"));
    static_assert(ferry::detail::fixedInts<Row> == 7 && !ferry::detail::isImage<Row>);
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

namespace {

/// A class that can be neither copied nor moved.
struct Counter {
    Counter() = default;
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    FERRY_FIELDS(value)
    int value = 0;
};

/// A class with a constructor that takes anything.
struct ByReference {
    ByReference() = default;
    template <class T>
    ByReference(T&&) {}
    FERRY_FIELDS(value)
    int value = 0;
};
struct ByConstant {
    ByConstant() = default;
    template <class T>
    ByConstant(const T&) {}
    FERRY_FIELDS(value)
    int value = 0;
};
struct ByValue {
    ByValue() = default;
    template <class T>
    ByValue(T) {}
    FERRY_FIELDS(value)
    int value = 0;
};

struct Progress {
    std::atomic<int> done{0};
    std::atomic<double> share{0};
    Counter counter;
    std::string name;
};

struct Inside {
    std::optional<Progress> progress;
    std::array<Counter, 2> counters;
    std::pair<Counter, int> pair;
};

template <class First, class Second>
struct Two {
    First first;
    Second second{};
};

template <class Base>
struct Derived : Base {
    int own = 0;
};

struct Explicit {
    explicit Explicit() = default;
    explicit Explicit(int value_) : value(value_) {}
    int value = 0;
};
struct WithoutDefault {
    WithoutDefault(int value_) : value(value_) {}
    int value;
};
struct Referring {
    int number;
    int& other;
};

template <class T>
constexpr bool isDerived = ferry::detail::hasBase<T>(ferry::detail::ProbesOf<T>());

}    // namespace

TEST_CASE("CodecAggregate: fields that can be neither copied nor moved travel, wherever they stand") {
    Inside inside;
    inside.progress.emplace();
    inside.progress->done = 7;
    inside.progress->share = 0;
    inside.progress->counter.value = 8;
    inside.progress->name = "a";
    inside.counters[1].value = 9;
    inside.pair.first.value = 10;
    inside.pair.second = 11;
    const Ints ints{1, 7, 0, 0, 8, 1, 'a', 0, 9, 10, 11};
    CHECK(intsOf(inside) == ints);
    Inside copy;
    ferry::IntReader in(ints);
    in >> copy;
    CHECK(in.remaining() == 0);
    CHECK(intsOf(copy) == ints);
    checkTruncated<Inside>(ints);
}

TEST_CASE("CodecAggregate: a field whose constructor takes anything is not taken for a base class") {
    const auto check = []<class Greedy>(const Greedy&) {
        Two<Greedy, int> two{{}, 6};
        two.first.value = 4;
        CHECK(intsOf(two) == Ints{4, 6});
        CHECK(valueOf<Two<Greedy, int>>({4, 6}).first.value == 4);
        Two<int, Greedy> other{6, {}};
        other.second.value = 4;
        CHECK(intsOf(other) == Ints{6, 4});
        static_assert(!isDerived<Two<Greedy, int>>);
        static_assert(isDerived<Derived<Greedy>>);
    };
    check(ByReference());
    check(ByConstant());
    check(ByValue());
    static_assert(isDerived<Derived<Point>> && isDerived<Derived<Counter>> && isDerived<Derived<Nothing>>);
}

TEST_CASE("CodecAggregate: all fields are counted, whatever initialises them") {
    using ferry::detail::fieldCount;
    static_assert(fieldCount<Two<Explicit, Explicit>> == 2);
    static_assert(fieldCount<Two<WithoutDefault, std::string>> == 2);
    static_assert(fieldCount<Two<std::any, std::function<void()>>> == 2);
    static_assert(fieldCount<Two<std::mutex, Two<Counter, std::any>>> == 2);
    static_assert(fieldCount<Two<std::optional<std::any>, std::variant<int, std::string>>> == 2);
    static_assert(fieldCount<Referring> == 2);
    int other = 5;
    const Referring referring{4, other};
    CHECK(intsOf(referring) == Ints{4, 5});
}

namespace aggregateLikeContainer {

/// A plain struct with the functions of a container, and with another field.
struct LikeTour {
    using value_type = int;
    std::vector<int> stops;
    std::string title;
    auto begin() { return stops.begin(); }
    auto end() { return stops.end(); }
    auto begin() const { return stops.begin(); }
    auto end() const { return stops.end(); }
    std::size_t size() const { return stops.size(); }
    void clear() { stops.clear(); }
    void resize(std::size_t count) { stops.resize(count); }
    void push_back(int stop) { stops.push_back(stop); }
    int& emplace_back() { return stops.emplace_back(); }
    int& back() { return stops.back(); }
};
/// A plain struct with the functions of an optional, and with another field.
struct LikeMeasured {
    using value_type = double;
    bool isThere = false;
    double value = 0;
    double error = 0;
    bool has_value() const { return isThere; }
    void reset() { isThere = false; }
    void emplace() { isThere = true; }
    double& operator*() { return value; }
    const double& operator*() const { return value; }
};
/// A container of the program that says that its elements are all.
class LikeNames {
public:
    using value_type = std::string;
    auto begin() { return names_.begin(); }
    auto end() { return names_.end(); }
    auto begin() const { return names_.begin(); }
    auto end() const { return names_.end(); }
    std::size_t size() const { return names_.size(); }
    void clear() { names_.clear(); }
    void resize(std::size_t count) { names_.resize(count); }
    void push_back(std::string name) { names_.push_back(std::move(name)); }
    std::string& emplace_back() { return names_.emplace_back(); }
    std::string& back() { return names_.back(); }

private:
    std::vector<std::string> names_;
};

}    // namespace aggregateLikeContainer

template <>
inline constexpr bool ferry::hasNoOtherMembers<aggregateLikeContainer::LikeNames> = true;

using namespace aggregateLikeContainer;

TEST_CASE("CodecAggregate: all fields of a plain struct with the functions of a container or an optional travel") {
    LikeTour tour;
    tour.stops = {1, 2};
    tour.title = "t";
    const LikeTour arrived = valueOf<LikeTour>(intsOf(tour));
    CHECK(arrived.stops == tour.stops);
    CHECK(arrived.title == "t");
    LikeMeasured measured;
    measured.emplace();
    *measured = 3;
    measured.error = 0.5;
    CHECK(valueOf<LikeMeasured>(intsOf(measured)).error == 0.5);
}

TEST_CASE("CodecAggregate: a class that says that it has no other members travels as a container") {
    LikeNames names;
    names.push_back("a");
    CHECK(intsOf(names) == intsOf(std::vector<std::string>{"a"}));
    CHECK(valueOf<LikeNames>(intsOf(names)).back() == "a");
}
