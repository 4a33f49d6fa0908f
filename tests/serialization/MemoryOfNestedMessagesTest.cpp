#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/codec/CodecOwned.hpp>
#include <ferry/serialization/codec/CodecOwnedPointers.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/tests/support/AllocationWatch.hpp>

// Messages whose containers, each inside an element of the one around, count on the same ints. The memory for a message of k bytes must
// stay within 8 k + 64 KiB. For a deque, whose smallest block has 576 bytes, it must stay within 16 k + 64 KiB.

using namespace ferry;

namespace nestedmemorytest {

struct InVector {
    int value = 0;
    std::vector<InVector> inside;
    FERRY_FIELDS(value, inside)
};
struct InMap {
    std::map<int, InMap> inside;
    std::vector<std::array<std::string, 2>> names;
    FERRY_FIELDS(inside, names)
};
struct InDeque {
    int value = 0;
    std::deque<InDeque> inside;
    FERRY_FIELDS(value, inside)
};
struct InVersions {
    int value = 0;
    std::vector<InVersions> inside;
    FERRY_FIELDS_VERSIONED(1, value, inside)
};
struct ByPointers {
    std::vector<std::unique_ptr<ByPointers>> inside;
    FERRY_FIELDS(inside)
};
struct OwnsPointers {
    std::vector<OwnsPointers*> inside;
    FERRY_FIELDS(ferry::owned(inside))
    OwnsPointers() = default;
    OwnsPointers(const OwnsPointers&) = delete;
    OwnsPointers& operator=(const OwnsPointers&) = delete;
    ~OwnsPointers() {
        for (OwnsPointers* each : inside) delete each;
    }
};
struct OwnsArray {
    std::size_t count = 0;
    OwnsArray* inside = nullptr;
    FERRY_FIELDS(ferry::ownedArray(inside, count))
    OwnsArray() = default;
    OwnsArray(const OwnsArray&) = delete;
    OwnsArray& operator=(const OwnsArray&) = delete;
    ~OwnsArray() { delete[] inside; }
};

/// A message in which each level has these ints, and then a count that the ints behind it could just hold.
std::vector<std::int32_t> claims(std::size_t intCount, const std::vector<std::int32_t>& before, std::size_t intsPerElement) {
    std::vector<std::int32_t> ints;
    while (ints.size() + before.size() + 1 < intCount) {
        ints.insert(ints.end(), before.begin(), before.end());
        ints.push_back(static_cast<std::int32_t>((intCount - ints.size() - 1) / intsPerElement));
    }
    ints.resize(intCount, 0);
    return ints;
}

template <class T>
void requireBounded(const std::vector<std::int32_t>& ints, std::size_t factor = 8) {
    std::size_t peak = 0;
    {
        const test::AllocationWatch watch;
        try {
            IntReader in(ints);
            T value;
            in >> value;
        } catch (const SerializationError&) {}
        peak = watch.peakBytes();
    }
    const std::size_t bytes = ints.size() * sizeof(std::int32_t);
    CHECK_MESSAGE(peak <= factor * bytes + 65536, peak, " bytes in use for a message of ", bytes, " bytes");
}

}    // namespace nestedmemorytest

using namespace nestedmemorytest;

TEST_CASE("IntReader: containers inside each other cannot count on the same ints") {
    for (const std::size_t intCount : {std::size_t{300}, std::size_t{3000}, std::size_t{100'000}}) {
        requireBounded<InVector>(claims(intCount, {7}, 2));
        requireBounded<InMap>(claims(intCount, {}, 3));
        requireBounded<InMap>(claims(intCount, {0}, 2));
        requireBounded<InDeque>(claims(intCount, {7}, 2), 16);
        requireBounded<InVersions>(claims(intCount, {1, static_cast<std::int32_t>(intCount / 2), 7}, 2));
        requireBounded<ByPointers>(claims(intCount, {1}, 1));
        requireBounded<OwnsPointers>(claims(intCount, {1}, 1));
        requireBounded<OwnsArray>(claims(intCount, {}, 1));
        requireBounded<std::vector<std::vector<std::vector<std::vector<std::vector<std::string>>>>>>(claims(intCount, {}, 1));
    }
}

TEST_CASE("IntReader: the ints that are kept back are there for the elements that follow") {
    InVector tree;
    tree.inside.resize(3);
    tree.inside[0].inside.resize(100);
    tree.inside[1].inside.resize(1);
    tree.inside[1].inside[0].inside.resize(50);
    tree.inside[2].value = 5;
    IntBuffer buffer;
    IntWriter(buffer) << std::vector<InVector>{tree, InVector(), tree} << std::string("behind");
    IntReader in(buffer.ints());
    std::vector<InVector> trees;
    std::string behind;
    in >> trees >> behind;
    in.expectEnd();
    CHECK(trees.size() == 3);
    CHECK(trees[2].inside[1].inside[0].inside.size() == 50);
    CHECK(trees[2].inside[2].value == 5);
    CHECK(behind == "behind");

    // After an error the reader has its whole message again.
    const std::vector<std::int32_t> damaged{2, 1, 0, 2, 999, 6};
    IntReader again(damaged);
    CHECK_THROWS_WITH_AS(again >> trees, doctest::Contains("expected a count of at most 0"), SerializationError);
    CHECK(again.remaining() == damaged.size());
    std::vector<int> numbers(6);
    again.readInts(numbers);
    again.expectEnd();
}
