#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/serialization/pairs/PairCase.hpp>

using namespace ferry::test::pairs;
using ferry::GraphMemory;

namespace {

/// Number of damaged copies of each graph, from the environment variable FERRY_PAIR_SEEDS.
std::size_t seedCount() {
    const char* text = std::getenv("FERRY_PAIR_SEEDS");
    return text != nullptr ? std::strtoul(text, nullptr, 10) : 20;
}

enum class Outcome { Read, Refused };

/// Reads a graph that may be damaged. The result is a SerializationError, or a graph.
/// Such a graph is written and read again, and both writings have to be equal.
Outcome readDamaged(const PairCase& pair, const Ints& ints, GraphMemory memory) {
    std::unique_ptr<AnyGraph> graph;
    try {
        graph = pair.read(ints, 0, memory);
    } catch (const ferry::SerializationError&) {
        return Outcome::Refused;
    } catch (const ferry::UsageError&) {
        CHECK(memory == GraphMemory::Arena);
        return Outcome::Refused;
    }
    const Ints again = graph->ints();
    const Ints third = pair.read(again, 0, memory)->ints();
    if (pair.isOrdered)
        CHECK(third == again);
    else
        CHECK(third.size() == again.size());
    return Outcome::Read;
}

void damage(Ints& ints, std::mt19937& random) {
    const std::size_t changes = 1 + random() % 3;
    for (std::size_t i = 0; i < changes; ++i) {
        const std::size_t place = random() % ints.size();
        switch (random() % 6) {
            case 0: ints[place] = static_cast<std::int32_t>(random()); break;
            case 1: ints[place] += 1; break;
            case 2: ints[place] -= 1; break;
            case 3: ints[place] = -static_cast<std::int32_t>(random() % 3); break;
            case 4: ints[place] = ints[random() % ints.size()]; break;
            default: ints[place] = static_cast<std::int32_t>(random() % 12); break;
        }
    }
}

}    // namespace

TEST_CASE("Pairs: every kind of member beside every other comes back with its contents and its shape") {
    const std::vector<PairCase> pairs = allPairs();
    std::size_t damagedCount = 0, readCount = 0, cutCount = 0;
    for (const PairCase& pair : pairs) {
        CAPTURE(pair.name);
        {
            const auto made = pair.make();
            const Ints ints = made->ints();
            CHECK(made->ints() == ints);
            const std::string text = made->text();
            {
                const auto copy = pair.read(ints, 0, GraphMemory::Heap);
                CHECK(copy->text() == text);
                const auto copyOfCopy = pair.read(copy->ints(), 0, GraphMemory::Heap);
                CHECK(copyOfCopy->text() == text);
            }
            if (pair.owns) {
                CHECK_THROWS_AS(pair.read(ints, 0, GraphMemory::Arena), ferry::UsageError);
            } else {
                CHECK(pair.read(ints, 0, GraphMemory::Arena)->text() == text);
            }
            for (std::size_t length = 0; length < ints.size(); ++length) {
                const Ints cut(ints.begin(), ints.begin() + static_cast<std::ptrdiff_t>(length));
                CHECK_THROWS_AS(pair.read(cut, 0, GraphMemory::Heap), ferry::SerializationError);
                ++cutCount;
            }
            std::mt19937 random(7);
            for (std::size_t seed = 0; seed < seedCount(); ++seed) {
                Ints damaged = ints;
                damage(damaged, random);
                readCount +=
                    readDamaged(pair, damaged, seed % 4 == 3 && !pair.owns ? GraphMemory::Arena : GraphMemory::Heap) == Outcome::Read;
                ++damagedCount;
            }
        }
        CHECK(Counted::living == 0);
    }
    MESSAGE(pairs.size() << " pairs, " << cutCount << " cut, " << damagedCount << " damaged, " << readCount << " of them read");
    CHECK(pairs.size() > kindCount / 2);
}
