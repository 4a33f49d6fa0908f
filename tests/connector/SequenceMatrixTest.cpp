#include <array>
#include <cstddef>
#include <memory_resource>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Ranks.hpp>

// One rank gives a span, and another one a vector, an array or a C array: every pair meets, in each call.

using namespace ferry;
using namespace ferry::test;

namespace sequenceMatrix {

struct Point {
    int x = 0;
    int y = 0;
    bool operator==(const Point&) const = default;
};

template <class T>
T elementOf(int number) {
    if constexpr (std::is_same_v<T, std::string>)
        return "text " + std::to_string(number);
    else if constexpr (std::is_same_v<T, Point>)
        return {number, -number};
    else
        return static_cast<T>(number);
}

/// `count` elements from a first number on.
template <class T>
std::vector<T> elementsOf(int first, std::size_t count) {
    std::vector<T> elements;
    for (std::size_t i = 0; i < count; ++i) elements.push_back(elementOf<T>(first + static_cast<int>(i)));
    return elements;
}

// The kinds of sequences. Each holds elements, shows them as the program would write them, and compares them.
template <class T, std::size_t count>
struct Vector {
    explicit Vector(const std::vector<T>& elements) : shown(elements) {}
    std::vector<T> shown;
    bool holds(const std::vector<T>& expected) const { return shown == expected; }
};
template <class T, std::size_t count>
struct PmrVector {
    explicit PmrVector(const std::vector<T>& elements) : shown(elements.begin(), elements.end()) {}
    std::pmr::vector<T> shown;
    bool holds(const std::vector<T>& expected) const { return std::vector<T>(shown.begin(), shown.end()) == expected; }
};
template <class T, std::size_t count>
struct Span {
    explicit Span(const std::vector<T>& elements) : memory(elements), shown(memory) {}
    std::vector<T> memory;
    std::span<T> shown;
    bool holds(const std::vector<T>& expected) const { return memory == expected; }
};
template <class T, std::size_t count>
struct ConstantSpan {
    explicit ConstantSpan(const std::vector<T>& elements) : memory(elements), shown(memory) {}
    std::vector<T> memory;
    std::span<const T> shown;
};
template <class T, std::size_t count>
struct FixedSpan {
    explicit FixedSpan(const std::vector<T>& elements) : memory(elements), shown(memory) {}
    std::vector<T> memory;
    std::span<T, count> shown;
    bool holds(const std::vector<T>& expected) const { return memory == expected; }
};
template <class T, std::size_t count>
struct Plain {
    explicit Plain(const std::vector<T>& elements) { std::copy(elements.begin(), elements.end(), shown); }
    T shown[count] = {};
    bool holds(const std::vector<T>& expected) const { return std::vector<T>(shown, shown + count) == expected; }
};
template <class T, std::size_t count>
struct Array {
    explicit Array(const std::vector<T>& elements) { std::copy(elements.begin(), elements.end(), shown.begin()); }
    std::array<T, count> shown = {};
    bool holds(const std::vector<T>& expected) const { return std::vector<T>(shown.begin(), shown.end()) == expected; }
};

template <class T, std::size_t count>
using Senders = std::tuple<Vector<T, count>, PmrVector<T, count>, Span<T, count>, ConstantSpan<T, count>, FixedSpan<T, count>,
                           Plain<T, count>, Array<T, count>>;
template <class T, std::size_t count>
using Receivers = std::tuple<Vector<T, count>, PmrVector<T, count>, Span<T, count>, FixedSpan<T, count>, Plain<T, count>, Array<T, count>>;
/// The kinds whose elements gather and allGather join. A std::array is one value.
template <class T, std::size_t count>
using JoinedKinds =
    std::tuple<Vector<T, count>, PmrVector<T, count>, Span<T, count>, ConstantSpan<T, count>, FixedSpan<T, count>, Plain<T, count>>;

template <class Kinds, class Function, std::size_t... I>
void forEachKind(std::index_sequence<I...>, const Function& function) {
    (function.template operator()<std::tuple_element_t<I, Kinds>>(), ...);
}
/// Calls function<Kind>() for each kind.
template <class Kinds, class Function>
void forEachKind(const Function& function) {
    forEachKind<Kinds>(std::make_index_sequence<std::tuple_size_v<Kinds>>(), function);
}

constexpr std::size_t Count = 3;

}    // namespace sequenceMatrix

using namespace sequenceMatrix;

TEST_CASE_TEMPLATE("SequenceMatrix: each kind is received into each other kind", T, int, char, double, Point, std::string) {
    onRanks([](Connector& c) {
        int round = 0;
        forEachKind<Senders<T, Count>>([&]<class Sent>() {
            if constexpr (std::is_same_v<Sent, Plain<char, Count>>) return;    // send() takes text up to its end
            forEachKind<Receivers<T, Count>>([&]<class Received>() {
                ++round;
                const Sent sent(elementsOf<T>(10 * c.rank() + round, Count));
                Received received(elementsOf<T>(0, Count));
                c.send(nextRank(c), sent.shown);
                c.receiveInto(previousRank(c), received.shown);
                CHECK(received.holds(elementsOf<T>(10 * previousRank(c) + round, Count)));
            });
            const Sent sent(elementsOf<T>(c.rank(), Count));
            for (int i = 0; i < 3; ++i) c.send(nextRank(c), sent.shown);
            const auto expected = elementsOf<T>(previousRank(c), Count);
            CHECK(c.template receive<std::vector<T>>(previousRank(c)) == expected);
            CHECK(c.template receive<std::array<T, Count>>(previousRank(c))[1] == expected[1]);
            CHECK(c.template receive<std::pmr::vector<T>>(previousRank(c))[2] == expected[2]);
        });
    });
}

TEST_CASE_TEMPLATE("SequenceMatrix: the root broadcasts one kind, and the others have another kind", T, int, char, double, Point) {
    onRanks([](Connector& c) {
        const auto broadcast = [&c]<class Kind>(Kind& kind, int root) {
            if constexpr (std::is_void_v<decltype(c.broadcast(kind.shown, root))>)
                c.broadcast(kind.shown, root);
            else
                kind.shown = c.broadcast(kind.shown, root);
        };
        int round = 0;
        forEachKind<Receivers<T, Count>>([&]<class Sent>() {
            forEachKind<Receivers<T, Count>>([&]<class Received>() {
                const int root = ++round % c.size();
                const auto expected = elementsOf<T>(round, Count);
                if (c.rank() == root) {
                    Sent sent(expected);
                    broadcast(sent, root);
                    CHECK(sent.holds(expected));
                } else {
                    Received received(elementsOf<T>(0, Count));
                    broadcast(received, root);
                    CHECK(received.holds(expected));
                }
            });
        });
    });
}

TEST_CASE_TEMPLATE("SequenceMatrix: ranks gather elements of different kinds", T, int, char, double, Point, std::string) {
    onRanks([](Connector& c) {
        std::vector<T> expected;
        for (int rank = 0; rank < c.size(); ++rank) {
            for (T& each : elementsOf<T>(rank, Count)) expected.push_back(std::move(each));
        }
        int round = 0;
        forEachKind<JoinedKinds<T, Count>>([&]<class One>() {
            forEachKind<JoinedKinds<T, Count>>([&]<class Other>() {
                const int root = ++round % c.size();
                const One one(elementsOf<T>(c.rank(), Count));
                const Other other(elementsOf<T>(c.rank(), Count));
                const bool isOne = c.rank() % 2 == 0;
                const std::vector<T> all = isOne ? c.gather(one.shown, root) : c.gather(other.shown, root);
                CHECK(all == (c.rank() == root ? expected : std::vector<T>()));
                CHECK((isOne ? c.allGather(one.shown) : c.allGather(other.shown)) == expected);
                if constexpr (!std::is_same_v<T, std::string>) {    // options are for plain elements
                    std::vector<T> into;
                    if (isOne)
                        c.allGather(one.shown, {.into = resized(into)});
                    else
                        into = c.allGather(other.shown);
                    CHECK(into == expected);
                }
            });
        });
    });
}

TEST_CASE_TEMPLATE("SequenceMatrix: each kind is scattered and exchanged", T, int, char, Point, std::string) {
    onRanks([](Connector& c) {
        constexpr std::size_t Ranks = 4;    // C arrays and arrays have as many elements as there are ranks
        if (c.size() == static_cast<int>(Ranks)) {
            forEachKind<Senders<T, Ranks>>([&]<class Kind>() {
                const Kind all(elementsOf<T>(10 * c.rank(), Ranks));
                CHECK(c.scatter(all.shown, 1) == elementOf<T>(10 + c.rank()));
                const std::vector<T> exchanged = c.allToAll(all.shown);
                for (int rank = 0; rank < c.size(); ++rank)
                    CHECK(exchanged[static_cast<std::size_t>(rank)] == elementOf<T>(10 * rank + c.rank()));
            });
        }
        const std::vector<T> own = elementsOf<T>(0, static_cast<std::size_t>(c.size()));
        CHECK(c.scatter(std::span<const T>(own)) == elementOf<T>(c.rank()));
    });
}

TEST_CASE("Displacements: elements come to their places, and memory between them stays as it is") {
    onRanks([](Connector& c) {
        const std::size_t own = static_cast<std::size_t>(c.rank()) + 1;
        const std::vector<int> mine(own, c.rank());
        std::vector<int> counts(static_cast<std::size_t>(c.size())), places(counts.size());
        std::iota(counts.begin(), counts.end(), 1);
        int place = 1;
        for (std::size_t rank = counts.size(); rank-- > 0;) {    // in reverse order, with a gap before each block
            places[rank] = place;
            place += counts[rank] + 1;
        }
        std::vector<int> expected(static_cast<std::size_t>(place) - 1, -1);
        for (std::size_t rank = 0; rank < counts.size(); ++rank)
            std::fill_n(expected.begin() + places[rank], counts[rank], static_cast<int>(rank));

        std::vector<int> all(expected.size(), -1), countsOut, placesOut;
        const std::span<int> filled = c.allGather(
            mine, {.counts = counts, .displacements = places, .into = all, .countsOut = &countsOut, .displacementsOut = &placesOut});
        CHECK(all == expected);
        CHECK(filled.size() == expected.size());
        CHECK(countsOut == counts);
        CHECK(placesOut == places);

        std::vector<int> fresh;
        c.gather(mine, {.root = 0, .displacements = places, .into = resized(fresh)});
        CHECK(fresh.size() == (c.rank() == 0 ? expected.size() : 0));
        if (c.rank() == 0) CHECK(fresh[static_cast<std::size_t>(places[0])] == 0);

        CHECK(c.allGather(mine, {.displacementsOut = &placesOut}).size() == static_cast<std::size_t>(c.size() * (c.size() + 1) / 2));
        CHECK(placesOut == displacementsOf(counts));

        CHECK(c.scatter(expected, {.root = 0, .counts = counts, .displacements = places}) == mine);
        const std::vector<int> exchanged =
            c.allToAll(expected, {.counts = counts, .displacements = places, .displacementsOut = &placesOut});
        CHECK(exchanged == std::vector<int>(own * counts.size(), c.rank()));
        CHECK(placesOut.back() == static_cast<int>(own * (counts.size() - 1)));
        std::vector<int> apart((own + 1) * counts.size(), -1);
        std::vector<int> from;
        for (std::size_t rank = 0; rank < counts.size(); ++rank) from.push_back(static_cast<int>((own + 1) * rank));
        c.allToAll(expected, {.counts = counts, .displacements = places, .displacementsFrom = from, .into = apart});
        for (std::size_t i = 0; i < apart.size(); ++i) CHECK(apart[i] == (i % (own + 1) == own ? -1 : c.rank()));
    });
}

TEST_CASE("Displacements: wrong ones are errors, and no rank waits") {
    onRanks([](Connector& c) {
        const auto ranks = static_cast<std::size_t>(c.size());
        const std::vector<int> mine(2, c.rank()), all(2 * ranks, 7), counts(ranks, 2);
        std::vector<int> places = displacementsOf(counts), memory(2 * ranks);
        places.back() += 1;
        CHECK_THROWS_WITH_AS(c.allGather(mine, {.displacements = places, .into = memory}), doctest::Contains("there is memory for"),
                             UsageError);
        CHECK_THROWS_AS(c.scatter(all, {.root = 0, .counts = counts, .displacements = places}), UsageError);
        CHECK_THROWS_AS(c.allToAll(all, {.counts = counts, .displacements = places}), UsageError);
        places.back() = -1;
        CHECK_THROWS_AS(c.allGather(mine, {.displacements = places, .into = memory}), UsageError);
        if (c.size() > 1) {
            places = displacementsOf(counts);
            places[1] = 1;
            CHECK_THROWS_WITH_AS(c.allGather(mine, {.displacements = places, .into = memory}), doctest::Contains("over those of rank"),
                                 UsageError);
            places.pop_back();
            CHECK_THROWS_WITH_AS(c.allGather(mine, {.displacements = places, .into = memory}),
                                 doctest::Contains("needs a displacement for each"), UsageError);
        }
        CHECK(c.allReduce(1, Sum{}) == c.size());
    });
}
