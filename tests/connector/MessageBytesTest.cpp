#include <ferry/connector/message/messageBytes.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/codec/Strided.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/support/Everywhere.hpp>

using namespace ferry;
using namespace ferry::test;

namespace messagebytestest {

struct Leaf {
    int number = 0;
    std::vector<double> samples{};
    Leaf* next = nullptr;
    FERRY_FIELDS(number, samples, next)
};

struct Versioned {
    std::string name = "a name";
    std::vector<float> large = std::vector<float>(100'000);
    std::shared_ptr<int> shared = std::make_shared<int>(3), again = shared;
    FERRY_FIELDS_VERSIONED(2, name, large, shared, again)
};

struct Series {
    double* values = nullptr;
    int count = 0;
    FERRY_FIELDS(ferry::arrayOf(values, count))
};

struct ByHand {
    void writeToInts(IntWriter& out) const { out << std::vector<int>(50'000) << 7; }
    void readFromInts(IntReader& in) {
        std::vector<int> numbers;
        int seven = 0;
        in >> numbers >> seven;
    }
};

struct Unwritable {
    void writeToInts(IntWriter&) const { throw UsageError("not today"); }
    void readFromInts(IntReader&) {}
};

/// Sends the value, and compares the size that the receiver is told.
template <class T>
void compare(Connector& c, const T& value) {
    c.send(nextRank(c), value);
    const Probed probed = c.probe({.from = previousRank(c)});
    CHECK_MESSAGE(messageBytes(value) == probed.bytes, probed.type);
    c.barrier();
}

}    // namespace messagebytestest

using namespace messagebytestest;

TEST_CASE("messageBytes: the size that probe() tells the receiver, for values, messages, parts and views") {
    onRanksAndSimulated([](Connector& c) {
        std::vector<Versioned> several(3);
        std::array<double, 4> four{};
        compare(c, 7);
        c.receive<int>();
        compare(c, std::vector<double>(300'000));
        c.receive<std::vector<double>>();
        compare(c, std::string(99, 'x'));
        c.receive<std::string>();
        compare(c, std::string_view("text"));
        c.receive<std::string>();
        compare(c, four);
        c.receive<std::array<double, 4>>();
        compare(c, std::span<double>(four));
        c.receive<std::vector<double>>();
        compare(c, strided(four.data(), 2, 2));
        c.receive<std::vector<double>>();
        compare(c, several);
        c.receive<std::vector<Versioned>>();
        compare(c, std::map<std::string, std::vector<int>>{{"one", {1, 2}}, {"none", {}}});
        c.receive<std::map<std::string, std::vector<int>>>();
        compare(c, ByHand());
        c.receive<ByHand>();
        compare(c, part<View<&Versioned::name>>(several));
        c.receiveInto(previousRank(c), part<View<&Versioned::name>>(several));
        compare(c, Ping(4));
        c.receive<Ping>();
        Leaf leaf{1, {2.0}, nullptr};
        compare(c, copyGraph(graph(&leaf)));
        c.receive<Graph<Leaf>>();
    });
}

TEST_CASE("messageBytes: a graph of one piece, and of many") {
    onRanksAndSimulated([](Connector& c) {
        std::vector<Leaf> leaves(50);
        for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i] = {static_cast<int>(i), std::vector<double>(i), &leaves[(i + 1) % 50]};
        compare(c, graph(leaves.data()));
        c.receiveGraph<Leaf>();
        const std::size_t whole = messageBytes(graph(leaves.data()));
        CHECK(messageBytes(graph(leaves.data(), 1)) == whole + 49 * 4);    // a piece for each object, with its number
        CHECK(messageBytes(graph(static_cast<const Leaf*>(nullptr))) == 8);
    });
}

TEST_CASE("messageBytes: an object that cannot be written throws what send() throws") {
    CHECK_THROWS_WITH_AS(messageBytes(Unwritable()), doctest::Contains("not today"), UsageError);
}

TEST_CASE("messageBytes: large arrays are not looked at") {
    double lone = 0;
    Series series{&lone, 1};
    const std::size_t bytes = messageBytes(graph(&series));
    series.count = 1'000'000'000;    // this memory does not exist
    CHECK(messageBytes(graph(&series)) == bytes + 999'999'999 * sizeof(double));
    CHECK(messageBytes(std::span<const double>(&lone, 1'000'000'000)) == 4 + 8'000'000'000);
}
