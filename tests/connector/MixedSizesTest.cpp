// Packets of different sizes take different ways through the transport. They keep their order all the same.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/Sanitizers.hpp>

using namespace ferry;
using namespace ferry::test;

namespace mixedSizes {

constexpr int rounds = 40;
constexpr int letters = isSanitized ? 2000 : 25'000;    // from each rank

/// A small generator, equal on sender and receiver.
class Sizes {
public:
    Sizes(int from, int to) : state_(static_cast<std::uint32_t>(from * 977 + to * 31 + 7)) {}

    /// The number of ints of the next letter: mostly few, now and then too many for one packet, seldom an array that is lent.
    std::size_t next() {
        state_ = state_ * 1664525u + 1013904223u;
        const std::uint32_t choice = state_ >> 16 & 0xff;
        const std::uint32_t number = state_ >> 8;
        if (choice < 200) return number % 12;
        if (choice < 235) return number % 1100;
        if (choice < 253) return 4000 + number % 200;
        return 9000 + number % 8000;
    }

private:
    std::uint32_t state_;
};

struct Batch {
    int from = -1;
    std::int32_t number = 0;
    std::vector<std::int32_t> ints;
    FERRY_FIELDS(from, number, ints)
};

/// The packets that a rank expects of another one.
struct Source {
    Sizes sizes;
    std::int32_t number = 0;

    bool fits(const Batch& batch) {
        const std::size_t expected = sizes.next();
        bool isRight = batch.number == number && batch.ints.size() == expected;
        for (const std::int32_t one : batch.ints) isRight = isRight && one == number;
        ++number;
        return isRight;
    }
};

}    // namespace mixedSizes

using namespace mixedSizes;

TEST_CASE("Connector: letters of mixed sizes keep their order, in both directions and for receivers that take any rank") {
    onRanks([](Connector& c) {
        std::vector<Sizes> out;
        std::vector<Source> in;
        for (int rank = 0; rank < c.size(); ++rank) {
            out.emplace_back(c.rank(), rank);
            in.push_back({Sizes(rank, c.rank())});
        }
        const int each = 1 + letters / rounds / c.size();
        std::int32_t number = 0;
        int wrong = 0;
        for (int round = 0; round < rounds; ++round) {
            for (int i = 0; i < each; ++i, ++number) {
                for (int to = 0; to < c.size(); ++to)
                    c.send(to, Batch{c.rank(), number, std::vector<std::int32_t>(out[static_cast<std::size_t>(to)].next(), number)});
            }
            for (int i = 0; i < each * c.size(); ++i) {
                const Batch batch = c.receive<Batch>(round % 2 == 0 ? AnyRank : i % c.size());
                wrong += in.at(static_cast<std::size_t>(batch.from)).fits(batch) ? 0 : 1;
            }
            c.barrier();    // no letter of the next round counts in this one
        }
        CHECK(wrong == 0);
    });
}

TEST_CASE("Connector: letters to a rank that takes none for long are all there in their order") {
    onRanks([](Connector& c) {
        constexpr int count = 3000;
        const int right = (c.rank() + 1) % c.size();
        const int left = (c.rank() + c.size() - 1) % c.size();
        int wrong = 0;
        for (int round = 0; round < 3; ++round) {
            for (int i = 0; i < count; ++i) c.send(right, i);
            c.send(right, std::vector<int>(20'000, round));
            for (int i = 0; i < count; ++i) c.send(right, count + i);
            c.barrier();
            for (int i = 0; i < 2 * count; ++i) wrong += c.receive<int>(left) == i ? 0 : 1;
            wrong += c.receive<std::vector<int>>(left) == std::vector<int>(20'000, round) ? 0 : 1;
        }
        CHECK(wrong == 0);
    });
}
