#include <array>
#include <list>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/message/letter/SequenceForm.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

template <class Left, class Right>
inline constexpr bool meet = detail::messageKey<Left> == detail::messageKey<Right>;

static_assert(meet<std::vector<int>, std::span<const int>> && meet<std::array<int, 3>, std::pmr::vector<int>>);
static_assert(meet<int[4], std::span<int, 4>> && meet<std::string, std::string_view> && meet<std::vector<char>, std::pmr::string>);
static_assert(meet<std::vector<std::pmr::vector<int>>, std::span<const std::vector<int>>>);
static_assert(meet<std::array<bool, 2>, std::span<const bool>> && !meet<std::vector<bool>, std::span<const bool>>);
static_assert(!meet<std::vector<int>, std::vector<long>> && !meet<std::vector<int>, std::list<int>>);

const std::vector<int> numbers{1, 2, 3};

/// Sends three numbers in each kind of sequence.
void sendAll(Connector& c, int to) {
    c.send(to, numbers);
    c.send(to, std::span<const int>(numbers));
    c.send(to, std::span<const int, 3>(numbers));
    c.send(to, std::array<int, 3>{1, 2, 3});
    const int plain[3] = {1, 2, 3};
    c.send(to, plain);
    c.send(to, std::pmr::vector<int>{1, 2, 3});
}
constexpr int kinds = 6;

}    // namespace

TEST_CASE("Sequences: each kind of contiguous sequence is received into each other kind") {
    onRanks([](Connector& c) {
        const int left = (c.rank() + c.size() - 1) % c.size();
        const int right = (c.rank() + 1) % c.size();
        for (int i = 0; i < 6; ++i) sendAll(c, right);
        for (int i = 0; i < kinds; ++i) CHECK(c.receive<std::vector<int>>(left) == numbers);
        for (int i = 0; i < kinds; ++i) CHECK(c.receive<std::array<int, 3>>(left) == std::array<int, 3>{1, 2, 3});
        for (int i = 0; i < kinds; ++i) CHECK(c.receive<std::pmr::vector<int>>(left) == std::pmr::vector<int>{1, 2, 3});
        for (int i = 0; i < kinds; ++i) {
            std::vector<int> memory(3);
            c.receiveInto(left, std::span<int>(memory));
            CHECK(memory == numbers);
        }
        for (int i = 0; i < kinds; ++i) {
            int memory[3] = {};
            c.receiveInto(left, memory);
            CHECK(memory[2] == 3);
        }
        for (int i = 0; i < kinds; ++i) CHECK(c.expect<std::array<int, 3>>(left).get()[2] == 3);
        c.barrier();
    });
}

TEST_CASE("Sequences: large ones of structs and texts meet too, and a wrong length is told") {
    onRanks([](Connector& c) {
        struct Point {
            double x, y;
            bool operator==(const Point&) const = default;
        };
        const int left = (c.rank() + c.size() - 1) % c.size();
        const int right = (c.rank() + 1) % c.size();
        const std::vector<Point> points(100'000, Point{1, 2});
        std::vector<Point> memory(points.size());
        c.send(right, std::span<const Point>(points), Tag(1));
        CHECK(c.receive<std::vector<Point>>(left, Tag(1)) == points);
        c.send(right, points, Tag(1));
        c.receiveInto(left, std::span<Point>(memory), Tag(1));
        CHECK(memory == points);
        const std::vector<std::string> texts(3, "abc");
        std::array<std::string, 3> three;
        c.send(right, std::span<const std::string>(texts));
        c.receiveInto(left, three);
        CHECK(three[2] == "abc");
        c.send(right, std::string_view("text"));
        CHECK(c.receive<std::vector<char>>(left) == std::vector<char>{'t', 'e', 'x', 't'});
        c.send(right, std::vector<char>{'a', 'b'});
        CHECK(c.receive<std::string>(left) == "ab");
        c.send(right, numbers);
        CHECK_THROWS_AS((c.receive<std::array<int, 2>>(left)), SerializationError);
        c.barrier();
    });
}

TEST_CASE("Sequences: ranks broadcast from and into different kinds") {
    onRanks([](Connector& c) {
        if (c.rank() == 0) {
            CHECK(c.broadcast(numbers) == numbers);
        } else if (c.rank() % 3 == 1) {
            CHECK(c.broadcast(std::array<int, 3>()) == std::array<int, 3>{1, 2, 3});
        } else if (c.rank() % 3 == 2) {
            CHECK(c.broadcast(std::pmr::vector<int>()) == std::pmr::vector<int>{1, 2, 3});
        } else {
            std::vector<int> memory(3);
            c.broadcast(std::span<int>(memory));
            CHECK(memory == numbers);
        }
        const std::string text = "broadcast";
        if (c.rank() == 0) {
            c.broadcast(text);
        } else {
            const auto letters = c.broadcast(std::vector<char>());
            CHECK(std::string(letters.begin(), letters.end()) == text);
        }
    });
}

TEST_CASE("Sequences: ranks gather and exchange bools") {
    onRanks([](Connector& c) {
        const auto size = static_cast<std::size_t>(c.size());
        const auto rank = static_cast<std::size_t>(c.rank());
        std::vector<bool> own(size);
        own[rank] = true;
        for (int root = 0; root < c.size(); ++root) {
            const std::vector<bool> flags = c.gather(c.rank() == root, root);
            CHECK(flags.size() == (c.rank() == root ? size : 0));
            if (c.rank() == root) CHECK(flags[rank]);
        }
        CHECK(c.allGather(c.rank() == 0)[0]);
        CHECK(c.allGather(own).size() == size * size);
        CHECK(c.scatter(std::vector<bool>(size, true)));
        CHECK(c.allToAll(own)[rank]);
    });
}

TEST_CASE("Sequences: ranks broadcast an array of arrays") {
    onRanks([](Connector& c) {
        double matrix[2][3] = {{1, 2, 3}, {4, 5, 6.0 + c.rank()}};
        const int root = c.size() - 1;
        c.broadcast(matrix, root);
        CHECK(matrix[1][2] == 6 + root);
        CHECK(matrix[0][0] == 1);
    });
}

namespace {

/// A struct that can be read as a text, and has another field.
struct NamedNumber {
    std::string text;
    int number = 0;
    operator std::string_view() const { return text; }
};

}    // namespace

TEST_CASE("Sequences: a struct that converts to text travels with all of its fields") {
    onRanks([](Connector& c) {
        c.send(c.rank(), NamedNumber{"a", 10});
        const auto arrived = c.receive<NamedNumber>(c.rank());
        CHECK(arrived.text == "a");
        CHECK(arrived.number == 10);
    });
}
