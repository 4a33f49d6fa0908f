#include <ferry/serialization/ints/AbsentArrays.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/codec/View.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

using namespace ferry;

namespace absentarraystest {

struct Mixed {
    int before = 0;
    std::vector<double> values;
    std::string text;
    std::array<int, 1000> fixed{};
    std::vector<int> small;
    FERRY_FIELDS(before, values, text, fixed, small)
};

/// Provides the borrowed arrays of a buffer to the reader of a copy of the buffer. The constructor overwrites the arrays in the copy.
class Elsewhere final : public detail::AbsentArrays {
public:
    Elsewhere(const IntBuffer& written, std::span<std::int32_t> copy) {
        std::size_t borrowedBefore = 0;
        for (const IntBuffer::Loan& loan : written.loans()) {
            std::int32_t* place = copy.data() + loan.ownBefore + borrowedBefore;
            std::memset(place, 0x55, loan.intCount * sizeof(std::int32_t));
            arrays_.push_back({place, &loan});
            borrowedBefore += loan.intCount;
        }
    }
    bool isAt(const std::int32_t* place) const noexcept override { return find(place) != nullptr; }
    std::size_t intCountAt(const std::int32_t* place) const override { return find(place)->intCount; }
    void fetch(const std::int32_t* place, std::byte* target) override {
        find(place)->copyTo(target);
        ++fetched;
    }
    void fetch(const std::int32_t* place, std::byte* firstElement, const detail::BlockLayout& blocks) override {
        const IntBuffer::Loan& loan = *find(place);
        std::vector<std::byte> bytes(loan.intCount * sizeof(std::int32_t));
        loan.copyTo(bytes.data());
        const std::byte* source = bytes.data();
        blocks.forEachRun([&](std::ptrdiff_t offset, std::size_t runBytes) {
            std::memcpy(firstElement + offset, source, runBytes);
            source += runBytes;
        });
        ++fetchedInBlocks;
    }
    std::size_t count() const { return arrays_.size(); }

    int fetched = 0;
    int fetchedInBlocks = 0;

private:
    struct Array {
        const std::int32_t* place;
        const IntBuffer::Loan* loan;
    };
    const IntBuffer::Loan* find(const std::int32_t* place) const noexcept {
        for (const Array& array : arrays_) {
            if (array.place == place) return array.loan;
        }
        return nullptr;
    }
    std::vector<Array> arrays_;
};

/// The tests send parts of a Cell: its two members in the middle, or its first and last members.
struct Cell {
    int first = 0;
    double inner = 0;
    std::array<int, 3> corners{};
    int last = 0;
};
using Middle = View<&Cell::inner, &Cell::corners>;    // the members are adjacent, so they form one run
using Ends = View<&Cell::last, &Cell::first>;         // two runs; the second one is before the first in memory

std::vector<Cell> cellsOf(int count) {
    std::vector<Cell> cells;
    for (int i = 0; i < count; ++i) cells.push_back({i, i + 0.5, {i, 2 * i, 3 * i}, -i});
    return cells;
}

std::vector<std::int32_t> copyOf(const IntBuffer& ints) {
    std::vector<std::int32_t> copy(ints.size());
    ints.copyTo(copy.data());
    return copy;
}

Mixed sample() {
    Mixed mixed;
    mixed.before = 4;
    mixed.values.assign(100, 2.5);
    mixed.text = std::string(1001, 'x');    // the last byte fills no int
    mixed.fixed[999] = 9;
    mixed.small = {1, 2, 3};
    return mixed;
}

}    // namespace absentarraystest

using namespace absentarraystest;

TEST_CASE("AbsentArrays: counted arrays are fetched into the object, all else is among the ints") {
    const Mixed mixed = sample();
    IntBuffer ints;
    IntWriter(ints).lendCounted(mixed, {.arrayBytes = 100});
    std::vector<std::int32_t> copy = copyOf(ints);
    Elsewhere elsewhere(ints, copy);
    // Values and text: a fixed array is never absent. On a big-endian machine both are among the ints.
    CHECK(elsewhere.count() == (ferry::detail::isBigEndian ? 0U : 2U));

    IntReader in(copy);
    in.setAbsent(&elsewhere);
    Mixed read;
    in >> read;
    in.expectEnd();
    CHECK(elsewhere.fetched == (ferry::detail::isBigEndian ? 0 : 2));
    CHECK(read.values == mixed.values);
    CHECK(read.text == mixed.text);
    CHECK(read.fixed == mixed.fixed);
    CHECK(read.small == mixed.small);
}

TEST_CASE("AbsentArrays: into a span, and as another size, which is refused") {
    const std::vector<int> values(50, 3);
    IntBuffer ints;
    IntWriter(ints).lendCounted(values, {.arrayBytes = 100});
    std::vector<std::int32_t> copy = copyOf(ints);
    Elsewhere elsewhere(ints, copy);
    std::vector<int> target(50);
    std::span<int> span(target);
    IntReader in(copy);
    in.setAbsent(&elsewhere);
    in >> span;
    CHECK(target == values);

    copy[0] = 49;    // a count that differs from that of the array
    IntReader wrong(copy);
    wrong.setAbsent(&elsewhere);
    std::vector<int> read;
    CHECK_THROWS_AS(wrong >> read, SerializationError);
}

TEST_CASE("AbsentArrays: the same part of each element is lent in blocks and fetched into blocks") {
    const std::vector<Cell> cells = cellsOf(50);
    const auto fetched = [&](auto part, const detail::LendingSizes& from, std::size_t loans) {
        IntBuffer ints;
        IntWriter(ints).lendCounted(part(cells), from);
        CHECK(ints.loans().size() == loans);
        CHECK(ints.segments().size() >= 1 + loans);
        IntBuffer copied;
        IntWriter(copied) << part(cells);
        CHECK(ints == copied);    // the stream is unchanged

        std::vector<std::int32_t> copy = copyOf(ints);
        Elsewhere elsewhere(ints, copy);
        std::vector<Cell> read(2, Cell{9, 9, {9, 9, 9}, 9});
        IntReader in(copy);
        in.setAbsent(&elsewhere);
        in >> part(read);
        in.expectEnd();
        CHECK(elsewhere.fetchedInBlocks == static_cast<int>(loans));
        return read;
    };
    const auto inside = [](auto& all) { return ferry::part<Middle>(all); };
    for (const detail::LendingSizes& from :
         {detail::LendingSizes{100, 20}, detail::LendingSizes{50 * 20, 1}, detail::LendingSizes{}, detail::LendingSizes{100, 21}}) {
        // The doubles of a Middle do not lie in memory as their ints on a big-endian machine, and are copied.
        const std::vector<Cell> read = fetched(inside, from, from.blockBytes <= 20 && !ferry::detail::isBigEndian ? 1 : 0);
        REQUIRE(read.size() == 50);
        CHECK(read[49].inner == 49.5);
        CHECK(read[49].corners == std::array<int, 3>{49, 98, 147});
        CHECK(read[1].last == 9);
        CHECK(read[49].last == 0);
    }
    const std::vector<Cell> read = fetched([](auto& all) { return ferry::part<Ends>(all); }, {1, 4}, 1);
    CHECK(read[7].first == 7);
    CHECK(read[7].last == -7);
    CHECK(read[1].inner == 9);
}

TEST_CASE("AbsentArrays: another number of elements in blocks is refused, and nothing is written") {
    const std::vector<Cell> cells = cellsOf(50);
    const auto checkRefused = [&](auto part) {
        IntBuffer ints;
        IntWriter(ints).lendCounted(part(cells), {.arrayBytes = 100, .blockBytes = 4});
        CHECK(ints.loans().size() == 1);
        std::vector<std::int32_t> copy = copyOf(ints);
        Elsewhere elsewhere(ints, copy);
        copy[0] = 49;
        IntReader in(copy);
        in.setAbsent(&elsewhere);
        std::vector<Cell> read;
        CHECK_THROWS_AS(in >> part(read), SerializationError);
        CHECK(elsewhere.fetchedInBlocks == 0);
    };
    checkRefused([](auto& all) { return ferry::part<Ends>(all); });
    if (!ferry::detail::isBigEndian) checkRefused([](auto& all) { return ferry::part<Middle>(all); });
}
