#include <cstdint>
#include <map>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntSerializableObject.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// Returns the data that rank `from` sends in a round, by destination. Every rank computes the same result.
std::map<int, std::vector<int>> outgoingOf(int from, int rankCount, std::uint64_t round) {
    std::map<int, std::vector<int>> outgoing;
    for (int to = 0; to < rankCount; ++to) {
        SeededRandom random(round * 1'000'003 + static_cast<std::uint64_t>(from * rankCount + to));
        if (random.below(3) == 0) outgoing[to] = std::vector<int>(random.below(50), from * 100 + to);
    }
    return outgoing;
}

/// A number that cannot be written when it is 13.
class Unlucky : public IntSerializableObject {
public:
    FERRY_CLASS(Unlucky)
    Unlucky() = default;
    explicit Unlucky(int theNumber) : number(theNumber) {}
    void writeToInts(IntWriter& out) const override {
        if (number == 13) throw std::domain_error("13 is not written");
        out << number;
    }
    void readFromInts(IntReader& in) override { in >> number; }
    int number = 0;
};

}    // namespace

TEST_CASE("sparseAllToAll: takes views that are walked once, or that change when they are walked") {
    onRanks([](Connector& c) {
        const auto toOthers = std::views::iota(0, c.size()) | std::views::filter([&c](int to) { return to != c.rank(); }) |
                              std::views::transform([&c](int to) { return std::pair(to, 100 * c.rank() + to); });
        auto view = toOthers;
        const std::vector<std::pair<int, int>> incoming = c.sparseAllToAll(view);
        CHECK(c.sparseAllToAll(std::move(view)) == incoming);
        std::vector<std::pair<int, int>> expected;
        for (int from = 0; from < c.size(); ++from) {
            if (from != c.rank()) expected.emplace_back(from, 100 * from + c.rank());
        }
        CHECK(incoming == expected);

        std::istringstream text("0 0");
        auto words = std::views::istream<int>(text) | std::views::transform([](int to) { return std::pair(to, 7); });
        CHECK(c.sparseAllToAll(words).size() == static_cast<std::size_t>(c.rank() == 0 ? 2 * c.size() : 0));
    });
}

TEST_CASE("sparseAllToAll: only ranks that have values send letters") {
    onRanks([](Connector& c) {
        std::map<int, std::string> outgoing;
        if (c.rank() == c.size() - 1) outgoing[0] = "from the last";
        const std::map<int, std::string> incoming = c.sparseAllToAll(outgoing);
        if (c.rank() == 0) {
            CHECK(incoming == std::map<int, std::string>{{c.size() - 1, "from the last"}});
        } else {
            CHECK(incoming.empty());
        }
        CHECK(c.sparseAllToAll(std::map<int, int>{}).empty());
    });
}

TEST_CASE("sparseAllToAll: everything arrives in its round, between other collectives and messages") {
    onRanks([](Connector& c) {
        for (std::uint64_t round = 0; round < 40; ++round) {
            c.send(nextRank(c), round);
            const auto incoming = c.sparseAllToAll(outgoingOf(c.rank(), c.size(), round));
            std::map<int, std::vector<int>> expected;
            for (int from = 0; from < c.size(); ++from) {
                const auto outgoing = outgoingOf(from, c.size(), round);
                if (const auto own = outgoing.find(c.rank()); own != outgoing.end()) expected.insert({from, own->second});
            }
            CHECK(incoming == expected);
            if (round % 3 == 0) CHECK(c.allReduce(1, Sum{}) == c.size());
            CHECK(c.receive<std::uint64_t>(previousRank(c)) == round);
        }
    });
}

TEST_CASE("sparseAllToAll: naming a rank that does not exist is an error on that rank alone, and the others get their values") {
    onRanks([](Connector& c) {
        const std::map<int, int> outgoing{{-1, 1}, {nextRank(c), 7}, {c.size(), 1}};
        if (c.rank() == 0) {
            CHECK_THROWS_AS(c.sparseAllToAll(outgoing), UsageError);
        } else {
            CHECK(c.sparseAllToAll(std::map<int, int>{{nextRank(c), 7}}) == std::map<int, int>{{previousRank(c), 7}});
        }
        CHECK(c.allReduce(1, Sum{}) == c.size());
    });
}

TEST_CASE("sparseAllToAll: a value that cannot be written is an error of its sender and its receiver") {
    onRanks([](Connector& c) {
        if (c.size() < 2) return;
        const std::map<int, Unlucky> outgoing{{nextRank(c), Unlucky(c.rank() == 0 ? 13 : 1)}};
        if (c.rank() <= 1) {
            CHECK_THROWS_WITH_AS(c.sparseAllToAll(outgoing), "13 is not written", std::domain_error);
        } else {
            CHECK(c.sparseAllToAll(outgoing).size() == 1);
        }
        CHECK(c.allReduce(1, Sum{}) == c.size());
    });
}

TEST_CASE("sparseAllToAll: a failure in a guarded region wakes it") {
    onRanks([](Connector& c) {
        const auto failing = [&c] {
            c.guarded([&c] {
                if (c.rank() == c.size() - 1) throw std::out_of_range("no part in it");
                c.sparseAllToAll(std::map<int, int>{{nextRank(c), 1}});
            });
        };
        CHECK_THROWS_AS(failing(), ExceptionList);
        CHECK(c.sparseAllToAll(std::map<int, int>{{nextRank(c), 2}}) == std::map<int, int>{{previousRank(c), 2}});
    });
}
