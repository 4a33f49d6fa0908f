#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/tests/serialization/pairs/PairCase.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry::test::pairs;
using ferry::GraphMemory;

namespace {

/// Number of damaged copies of each graph and value, from the environment variable FERRY_PAIR_SEEDS.
std::size_t seedCount() {
    const char* text = std::getenv("FERRY_PAIR_SEEDS");
    return text != nullptr ? std::strtoul(text, nullptr, 10) : 20;
}

/// A graph with owners is refused in an arena. For a value the kind of memory has no meaning.
bool fitsInArena(const PairCase& pair) { return pair.isGraph && !pair.owns; }

/// The kinds of memory in turn, for pairs that fit in both.
GraphMemory memoryFor(const PairCase& pair, std::size_t count) {
    return count % 4 == 3 && fitsInArena(pair) ? GraphMemory::Arena : GraphMemory::Heap;
}

/// Checks that a copy equals the objects from which it was made: by its contents and shape, and by its ints where they have one order.
void checkCopy(const PairCase& pair, const AnyObjects& made, const AnyObjects& copy) {
    if (pair.isWhole) {
        CHECK(copy.text() == made.text());
        if (pair.isOrdered) CHECK(copy.ints() == made.ints());
    }
    CHECK(copy.copy(GraphMemory::Heap)->text() == copy.text());
}

enum class Outcome { Read, Refused };

/// Reads objects that may be damaged. The result is a SerializationError, or objects.
/// Such objects are written and read again, and both writings have to be equal.
Outcome readDamaged(const PairCase& pair, const Ints& ints, GraphMemory memory) {
    std::unique_ptr<AnyObjects> objects;
    try {
        objects = pair.read(ints, memory);
    } catch (const ferry::SerializationError&) {
        return Outcome::Refused;
    } catch (const ferry::UsageError&) {
        CHECK(memory == GraphMemory::Arena);
        return Outcome::Refused;
    }
    const Ints again = objects->ints();
    const Ints third = pair.read(again, memory)->ints();
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

/// Loads a damaged file. Checks that the error is one of files or of their contents.
void checkRefused(const PairCase& pair, const std::filesystem::path& path, GraphMemory memory) {
    try {
        static_cast<void>(pair.load(path, memory));
        FAIL_CHECK("a damaged file was accepted");
    } catch (const ferry::FileError& error) {
        CHECK(error.problem() != ferry::FileProblem::CannotRead);
    } catch (const ferry::SerializationError&) {}
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
            if (pair.isOrdered) CHECK(pair.make()->ints() == ints);
            checkCopy(pair, *made, *pair.read(ints, GraphMemory::Heap));
            checkCopy(pair, *made, *made->copy(GraphMemory::Heap));
            if (fitsInArena(pair)) {
                checkCopy(pair, *made, *pair.read(ints, GraphMemory::Arena));
                checkCopy(pair, *made, *made->copy(GraphMemory::Arena));
            } else if (pair.isGraph) {
                CHECK_THROWS_AS(pair.read(ints, GraphMemory::Arena), ferry::UsageError);
                CHECK_THROWS_AS(made->copy(GraphMemory::Arena), ferry::UsageError);
            }
            for (std::size_t length = 0; length < ints.size(); ++length) {
                const Ints cut(ints.begin(), ints.begin() + static_cast<std::ptrdiff_t>(length));
                CHECK_THROWS_AS(pair.read(cut, memoryFor(pair, length)), ferry::SerializationError);
                ++cutCount;
            }
            std::mt19937 random(7);
            for (std::size_t seed = 0; seed < seedCount(); ++seed) {
                Ints damaged = ints;
                damage(damaged, random);
                readCount += readDamaged(pair, damaged, memoryFor(pair, seed)) == Outcome::Read;
                ++damagedCount;
            }
        }
        CHECK(Counted::living == 0);
    }
    MESSAGE(pairs.size() << " pairs, " << cutCount << " cut, " << damagedCount << " damaged, " << readCount << " of them read");
    CHECK(pairs.size() > kindCount / 2);
}

TEST_CASE("Pairs: every kind of member beside every other comes back from a file, and no damaged file is accepted") {
    const std::vector<PairCase> pairs = allPairs();
    const ferry::test::TemporaryFolder folder;
    const std::filesystem::path path = folder / "file";
    std::size_t damagedCount = 0, cutCount = 0;
    for (const PairCase& pair : pairs) {
        CAPTURE(pair.name);
        {
            const auto made = pair.make();
            made->save(path);
            const std::string bytes = ferry::test::bytesOf(path);
            made->save(path);
            CHECK(ferry::test::bytesOf(path) == bytes);
            checkCopy(pair, *made, *pair.load(path, GraphMemory::Heap));
            if (fitsInArena(pair)) checkCopy(pair, *made, *pair.load(path, GraphMemory::Arena));
            for (std::size_t intCount = bytes.size() / sizeof(std::int32_t); intCount-- > 0;) {
                std::filesystem::resize_file(path, intCount * sizeof(std::int32_t));
                checkRefused(pair, path, memoryFor(pair, intCount));
                ++cutCount;
            }
            std::mt19937 random(8);
            for (std::size_t seed = 0; seed < seedCount(); ++seed) {
                std::string damaged = bytes;
                damaged[random() % damaged.size()] ^= static_cast<char>(1 + random() % 255);
                ferry::test::writeBytes(path, damaged);
                checkRefused(pair, path, memoryFor(pair, seed));
                ++damagedCount;
            }
        }
        CHECK(Counted::living == 0);
    }
    MESSAGE(pairs.size() << " pairs, " << cutCount << " cut, " << damagedCount << " damaged");
}

TEST_CASE("Pairs: every kind of member beside every other travels between ranks, and from one rank to all") {
    const std::vector<PairCase> pairs = allPairs();
    ferry::test::onRanks(
        [&pairs](ferry::Connector& connector) {
            const int last = connector.size() - 1;
            for (const PairCase& pair : pairs) {
                CAPTURE(pair.name);
                const auto made = pair.make();
                for (const GraphMemory memory : {GraphMemory::Heap, GraphMemory::Arena}) {
                    if (memory == GraphMemory::Arena && !pair.isGraph) continue;
                    if (connector.rank() == 0) made->send(connector, last);
                    if (connector.rank() == last) {
                        if (memory == GraphMemory::Heap || fitsInArena(pair))
                            checkCopy(pair, *made, *pair.receive(connector, 0, memory));
                        else
                            CHECK_THROWS_AS(pair.receive(connector, 0, memory), ferry::UsageError);
                    }
                }
                for (int root = 0; root < connector.size(); root += last) {
                    const auto received = pair.broadcast(connector, root, fitsInArena(pair) ? GraphMemory::Arena : GraphMemory::Heap);
                    checkCopy(pair, *made, *received);
                }
            }
        },
        2);
    CHECK(Counted::living == 0);
}
