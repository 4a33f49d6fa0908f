// Messages with large arrays. When both ranks are ready, the arrays travel directly from their memory to their destination.
#include <ferry/connector/Connector.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace inplacetest {

using namespace std::chrono_literals;

class Cargo : public Message {
public:
    FERRY_CLASS(inplacetest::Cargo)
    FERRY_FIELDS(name, weights, count, text, small, halves, rows, last)
    std::string name;
    std::vector<double> weights;
    int count = 0;
    std::string text;
    std::vector<int> small;
    std::vector<std::int16_t> halves;
    std::vector<std::vector<float>> rows;
    long last = 0;

    friend bool operator==(const Cargo& left, const Cargo& right) {
        return left.name == right.name && left.weights == right.weights && left.count == right.count && left.text == right.text &&
               left.small == right.small && left.halves == right.halves && left.rows == right.rows && left.last == right.last;
    }
};

/// Returns a cargo whose arrays have about `elements` elements. Some numbers are odd, so that the last bytes do not fill an int.
Cargo cargoOf(std::size_t elements, int seed) {
    Cargo cargo;
    cargo.name = "cargo " + std::to_string(seed);
    cargo.weights.resize(elements);
    std::iota(cargo.weights.begin(), cargo.weights.end(), seed);
    cargo.count = seed;
    for (std::size_t i = 0; i < elements + 3; ++i) cargo.text.push_back(static_cast<char>('a' + (i + static_cast<std::size_t>(seed)) % 26));
    cargo.small = {seed, 2, 3};
    for (std::size_t i = 0; i < elements + 1; ++i) cargo.halves.push_back(static_cast<std::int16_t>(i * 7));
    cargo.rows.assign(3, std::vector<float>(elements / 2, static_cast<float>(seed)));
    cargo.last = seed * 1'000'000'007L;
    return cargo;
}

/// Besides its arrays, the object has too many ints to travel with the announcement.
struct Scattered {
    std::vector<std::string> words;
    std::vector<double> values;
    FERRY_FIELDS(words, values)
};

/// Reads one of its arrays and then throws.
struct Choking {
    std::vector<int> first;
    std::vector<int> second;
    void writeToInts(IntWriter& out) const {
        Codec<std::vector<int>>::write(out, first);
        Codec<std::vector<int>>::write(out, second);
    }
    void readFromInts(IntReader& in) {
        in >> first;
        throw std::domain_error("choked");
    }
};

constexpr std::size_t large = 100'000;    // number of elements

}    // namespace inplacetest

using namespace inplacetest;

TEST_CASE("Large arrays: objects of all sizes go round, to receivers that wait and to receivers that come later") {
    onRanks([](Connector& c) {
        for (const std::size_t elements : {0u, 1u, 4095u, 4096u, 16'383u, 16'384u, 20'001u, 100'000u}) {
            const Cargo sent = cargoOf(elements, c.rank());
            if (c.isMaster()) {
                c.send(nextRank(c), sent);
                CHECK(c.receive<Cargo>(previousRank(c)) == cargoOf(elements, previousRank(c)));
            } else {
                CHECK(c.receive<Cargo>(previousRank(c)) == cargoOf(elements, previousRank(c)));
                c.send(nextRank(c), sent);
            }
            c.send(nextRank(c), sent);    // all ranks send at once
            Cargo into = cargoOf(10, 1);
            c.receiveInto(previousRank(c), into);
            CHECK(into == cargoOf(elements, previousRank(c)));
        }
    });
}

TEST_CASE("Large arrays: two ranks that send each other 64 MiB and receive afterwards do not wait for ever") {
    onRanks([](Connector& c) {
        const int partner = c.rank() % 2 == 0 ? c.rank() + 1 : c.rank() - 1;
        if (c.rank() > 1 || partner >= c.size()) return;
        const std::vector<int> sent(std::size_t{16} << 20, c.rank());
        c.send(partner, sent);
        const auto received = c.receive<std::vector<int>>(partner);
        CHECK(received.size() == sent.size());
        CHECK(received.back() == partner);
    });
}

TEST_CASE("Large arrays: the object may change when send() returns, and letters keep their order") {
    onRanks([](Connector& c) {
        Letterhead letter("first", std::vector<double>(large, 1.0));
        c.send(nextRank(c), letter);
        letter.values.assign(large, 2.0);
        letter.title = "second";
        c.send(nextRank(c), letter);
        letter.values.clear();
        letter.title = "third";
        c.send(nextRank(c), letter);
        for (const auto& [title, value] : {std::pair{"first", 1.0}, std::pair{"second", 2.0}}) {
            const auto received = c.receive<Letterhead>(previousRank(c));
            CHECK(received.title == title);
            CHECK(received.values == std::vector<double>(large, value));
        }
        CHECK(c.receive<Letterhead>(previousRank(c)).values.empty());
    });
}

TEST_CASE("Large arrays: many small fields and many arrays beside them") {
    onRanks([](Connector& c) {
        const Scattered scattered{std::vector<std::string>(1000, "word"), std::vector<double>(large, 0.5)};
        const std::vector<std::vector<int>> rows(100, std::vector<int>(10'000, c.rank()));
        for (int round = 0; round < 5; ++round) {
            if (c.isMaster()) c.send(nextRank(c), scattered);
            const auto received = c.receive<Scattered>(previousRank(c));
            if (!c.isMaster()) c.send(nextRank(c), received);
            CHECK(received.words == scattered.words);
            CHECK(received.values == scattered.values);
            c.send(nextRank(c), rows);
            CHECK(c.receive<std::vector<std::vector<int>>>(previousRank(c)).back().back() == previousRank(c));
        }
    });
}

TEST_CASE("Large arrays: messages of any class, expectations, and letters that nobody waits for") {
    onRanks([](Connector& c) {
        Pending<Cargo> expected = c.expect<Cargo>(previousRank(c));
        Pending<Cargo> dropped = c.expect<Cargo>(previousRank(c));
        for (int i = 0; i < 3; ++i) c.send(nextRank(c), cargoOf(large, i));
        dropped.cancel();
        CHECK(expected.get() == cargoOf(large, 0));
        const std::unique_ptr<Message> message = c.receive(previousRank(c));
        REQUIRE(dynamic_cast<Cargo*>(message.get()) != nullptr);
        CHECK(dynamic_cast<Cargo&>(*message) == cargoOf(large, 1));
        CHECK(c.receive<Cargo>() == cargoOf(large, 2));
        c.barrier();
    });
}

TEST_CASE("Large arrays: a reader that throws in the middle loses its message and nothing else") {
    onRanks([](Connector& c) {
        const Choking choking{std::vector<int>(large, 1), std::vector<int>(large, 2)};
        for (int round = 0; round < 5; ++round) {
            if (c.isMaster()) c.send(nextRank(c), choking);
            if (c.rank() == (c.size() == 1 ? 0 : 1)) CHECK_THROWS_AS(c.receive<Choking>(0), std::domain_error);
            c.send(nextRank(c), cargoOf(large, round));
            CHECK(c.receive<Cargo>(previousRank(c)) == cargoOf(large, round));
        }
    });
}

TEST_CASE("Large arrays: throws on either side inside a guarded region reach all, and nothing is left behind") {
    onRanks([](Connector& c) {
        const Choking choking{std::vector<int>(large, 1), std::vector<int>(large, 2)};
        for (int thrower = 0; thrower < c.size(); ++thrower) {
            CHECK_THROWS_AS(c.guarded([&] {
                c.send(nextRank(c), cargoOf(large, 1));
                c.send(nextRank(c), cargoOf(large, 2));
                if (c.rank() == thrower) throw std::domain_error("thrown between two letters");
                static_cast<void>(c.receive<Cargo>(previousRank(c)));
                static_cast<void>(c.receive<Cargo>(previousRank(c)));
                c.barrier();
            }),
                            ExceptionList);
            CHECK_THROWS_AS(c.guarded([&] {
                if (c.rank() == thrower) c.send(nextRank(c), choking);
                if (previousRank(c) == thrower) static_cast<void>(c.receive<Choking>(thrower));
                c.barrier();
            }),
                            ExceptionList);
            c.guarded([&] {
                c.send(nextRank(c), cargoOf(large, 3));
                CHECK(c.receive<Cargo>(previousRank(c)) == cargoOf(large, 3));
            });
        }
    });
}

TEST_CASE("Large arrays: a deadline in the middle loses nothing") {
    onRanks([](Connector& c) {
        const Cargo cargo = cargoOf(large, 5);
        c.send(nextRank(c), cargo);
        for (;;) {
            try {
                const auto received = c.receive<Cargo>(previousRank(c), Deadline::in(0us));
                CHECK(received == cargo);
                break;
            } catch (const TimeoutError&) {
                c.poll();
            }
        }
        {
            const detail::DeadlineScope limit = c.limitWaits(Deadline::in(0us));
            c.send(nextRank(c), cargo);
        }
        CHECK(c.receive<Cargo>(previousRank(c)) == cargo);
    });
}
