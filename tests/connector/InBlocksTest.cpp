// Large parts of vector elements. The parts travel from their memory to their destination without packing.
#include <ferry/connector/Connector.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/serialization/codec/View.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace inblockstest {

/// Only a part of the object travels, wherever the object is.
struct Tile {
    std::array<int, 100> edge{};
    std::array<int, 100> inside{};
};
using TileEdge = View<&Tile::edge>;

}    // namespace inblockstest

template <>
struct ferry::Codec<inblockstest::Tile> : ferry::ViewCodec<inblockstest::Tile, inblockstest::TileEdge> {};

namespace inblockstest {

using namespace std::chrono_literals;

/// A stretch of a field. Neighbours need its two ends.
struct Strip {
    int before = 0;
    std::array<double, 40> left{};
    int between = 0;
    double right[40] = {};
    int behind = 0;

    friend bool operator==(const Strip&, const Strip&) = default;
};
using BothEnds = View<&Strip::left, &Strip::right>;
using EndsTurned = View<&Strip::right, &Strip::left>;
using OneEnd = View<&Strip::right>;
using AllButEnds = View<&Strip::before, &Strip::between, &Strip::behind>;

std::vector<Strip> stripsOf(std::size_t count, int seed) {
    std::vector<Strip> strips(count);
    for (std::size_t i = 0; i < count; ++i) {
        strips[i] = {seed, {}, seed + 1, {}, seed + 2};
        for (std::size_t k = 0; k < 40; ++k) {
            strips[i].left[k] = static_cast<double>(seed + static_cast<int>(i * 100 + k));
            strips[i].right[k] = -strips[i].left[k];
        }
    }
    return strips;
}

class Floor : public Message {
public:
    FERRY_CLASS(inblockstest::Floor)
    FERRY_FIELDS(name, tiles, weights)
    std::string name;
    std::vector<Tile> tiles;
    std::vector<double> weights;
};

Floor floorOf(std::size_t tiles, int seed) {
    Floor floor;
    floor.name = "floor";
    floor.tiles.resize(tiles);
    for (Tile& tile : floor.tiles) {
        tile.edge.fill(seed++);
        tile.inside.fill(-1);
    }
    floor.weights.assign(tiles * 10, seed);
    return floor;
}

bool haveEqualEdges(const Floor& left, const Floor& right) {
    if (left.tiles.size() != right.tiles.size() || left.name != right.name || left.weights != right.weights) return false;
    for (std::size_t i = 0; i < left.tiles.size(); ++i) {
        if (left.tiles[i].edge != right.tiles[i].edge) return false;
    }
    return true;
}

/// Returns the expected data of the receiver: the part that arrived, and the receiver's own rest.
template <class ViewOfStrip>
std::vector<Strip> merged(const std::vector<Strip>& sent, std::vector<Strip> own) {
    own.resize(sent.size());
    IntBuffer ints;
    IntWriter(ints) << part<ViewOfStrip>(sent);
    IntReader in(ints.ints());
    in >> part<ViewOfStrip>(own);
    return own;
}

template <class ViewOfStrip>
void sendRound(Connector& c, std::size_t count) {
    const std::vector<Strip> sent = stripsOf(count, c.rank());
    const std::vector<Strip> expected = merged<ViewOfStrip>(stripsOf(count, previousRank(c)), stripsOf(3, 77));
    for (const bool isEarly : {true, false}) {
        std::vector<Strip> received = stripsOf(3, 77);
        if (isEarly == c.isMaster() || c.size() == 1) c.send(nextRank(c), part<ViewOfStrip>(sent));
        c.receiveInto(previousRank(c), part<ViewOfStrip>(received));
        if (isEarly != c.isMaster() && c.size() != 1) c.send(nextRank(c), part<ViewOfStrip>(sent));
        CHECK(received == expected);
    }
}

constexpr std::size_t many = 2'000;

}    // namespace inblockstest

using namespace inblockstest;

TEST_CASE("Blocks: parts of vectors of all lengths go round") {
    onRanks([](Connector& c) {
        for (const std::size_t count : {0u, 1u, 51u, 52u, 102u, 103u, 2'000u}) {
            sendRound<BothEnds>(c, count);
            sendRound<EndsTurned>(c, count);
            sendRound<OneEnd>(c, count);
            sendRound<AllButEnds>(c, count);
        }
    });
}

TEST_CASE("Blocks: the vector may change when send() returns, whether somebody receives or not") {
    onRanks([](Connector& c) {
        std::vector<Strip> strips = stripsOf(many, c.rank());
        for (int i = 0; i < 3; ++i) {
            c.send(nextRank(c), part<BothEnds>(strips));
            strips = stripsOf(many, c.rank() + i + 1);
        }
        for (int i = 0; i < 3; ++i) {
            std::vector<Strip> received;
            c.receiveInto(previousRank(c), part<BothEnds>(received));
            CHECK(received == merged<BothEnds>(stripsOf(many, previousRank(c) + i), {}));
        }
    });
}

TEST_CASE("Blocks: elements of a class that travels as a part, in a message with other large arrays") {
    onRanks([](Connector& c) {
        for (const std::size_t tiles : {10u, 1'000u}) {
            const Floor floor = floorOf(tiles, c.rank());
            if (c.isMaster()) c.send(nextRank(c), floor);
            auto received = c.receive<Floor>(previousRank(c));
            if (!c.isMaster()) c.send(nextRank(c), floor);
            CHECK(haveEqualEdges(received, floorOf(tiles, previousRank(c))));
            CHECK(received.tiles.front().inside == std::array<int, 100>{});
        }
    });
}

TEST_CASE("Blocks: exceptions and deadlines in the middle leave nothing behind") {
    onRanks([](Connector& c) {
        const std::vector<Strip> sent = stripsOf(many, c.rank());
        for (int thrower = 0; thrower < c.size(); ++thrower) {
            CHECK_THROWS_AS(c.guarded([&] {
                std::vector<Strip> received;
                c.send(nextRank(c), part<OneEnd>(sent));
                if (c.rank() == thrower) throw std::domain_error("thrown behind a letter in blocks");
                c.receiveInto(previousRank(c), part<OneEnd>(received));
                c.barrier();
            }),
                            ExceptionList);
        }
        c.send(nextRank(c), part<OneEnd>(sent));
        std::vector<Strip> received;
        for (bool isHere = false; !isHere;) {
            try {
                c.receiveInto(previousRank(c), part<OneEnd>(received), Deadline::in(0us));
                isHere = true;
            } catch (const TimeoutError&) {
                c.poll();
            }
        }
        CHECK(received == merged<OneEnd>(stripsOf(many, previousRank(c)), {}));
    });
}
