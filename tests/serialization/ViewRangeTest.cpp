#include <ferry/serialization/codec/CodecViewRange.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/tests/serialization/PartTrip.hpp>

namespace rangetest {

struct Cell {
    std::int32_t a = 1;
    float b = 2;
    double kept = 3;
    std::int64_t c = 4;
    bool isOn = false;
    std::array<std::int16_t, 3> narrow{5, 6, 7};
    std::array<double, 200> large{};
};
using Numbers = ferry::View<&Cell::a, &Cell::b, &Cell::c>;    // all members are integers, so any ints are valid
using Switch = ferry::View<&Cell::c, &Cell::isOn>;            // not all ints are valid: a bool is 0 or 1
using Narrow = ferry::View<&Cell::a, &Cell::narrow>;
using Large = ferry::View<&Cell::a, &Cell::large>;

struct Grid {
    std::int32_t before = 8;
    std::array<Cell, 2> corners;
    Cell rows[2][2];
    std::vector<Cell> others;
};
using Corners = ferry::View<&Grid::before, ferry::inside<&Grid::corners, Numbers>, ferry::inside<&Grid::rows, Numbers>>;
using Others = ferry::View<ferry::inside<&Grid::corners, Switch>, ferry::inside<&Grid::others, Numbers>>;

}    // namespace rangetest

using namespace rangetest;
using namespace ferry::test;

namespace {

template <class ViewOfObject, class Container>
void checkCells(const Ints& golden) {
    Container cells(2);
    cells.back().a = 9;
    CHECK(intsOf(ferry::part<ViewOfObject>(cells)) == golden);
    CHECK(intsOf(ferry::part<ViewOfObject>(std::as_const(cells))) == golden);
    Container read(1);
    read.front().kept = 33;    // the member is not in the view
    readPart<ViewOfObject>(golden, read);
    REQUIRE(read.size() == 2);
    CHECK(read.back().a == 9);
    CHECK(read.back().b == 2);
    CHECK(read.back().c == 4);
    CHECK(read.front().kept == 33);
    for (std::size_t count = 0; count < golden.size(); ++count)
        CHECK(errorOfPart<ViewOfObject, Container>({golden.begin(), golden.begin() + static_cast<std::ptrdiff_t>(count)}) != "no error");
}

}    // namespace

TEST_CASE("View of a range: parts of one size travel side by side") {
    const Ints golden{2, 1, 0x40000000, 4, 0, 9, 0x40000000, 4, 0};
    checkCells<Numbers, std::vector<Cell>>(golden);
    checkCells<Numbers, std::list<Cell>>(golden);
    CHECK(errorOfPart<Numbers, std::vector<Cell>>({1 << 30, 0, 0, 0, 0}) == "int 0: expected a count of at most 1, found 1073741824");
    CHECK(intsOf(ferry::part<Narrow>(*std::make_unique<std::vector<Cell>>(1))) == Ints{1, 1, 5 | 6 << 16, 7});
    std::vector<Cell> none, some(3);
    readPart<Numbers>(intsOf(ferry::part<Numbers>(none)), some);
    CHECK(some.empty());
}

TEST_CASE("View of a range: a value that cannot be is told by element and member") {
    std::vector<Cell> cells(2);
    CHECK(intsOf(ferry::part<Switch>(cells)) == Ints{2, 4, 0, 0, 4, 0, 0});
    CHECK(errorOfPart<Switch, std::vector<Cell>>({2, 4, 0, 0, 4, 0, 7}) == "int 6 at [1].isOn: expected a bool (0 or 1), found 7");
}

TEST_CASE("View of a range: arrays of fixed size, in arrays and in views") {
    Grid grid;
    grid.corners[1].a = 10;
    grid.rows[1][0].a = 11;
    const Ints golden = intsOf(ferry::part<Corners>(grid));
    REQUIRE(golden.size() == 1 + 6 * 4);
    CHECK(golden[0] == 8);
    CHECK(golden[5] == 10);
    CHECK(golden[17] == 11);
    Grid read;
    read.rows[1][0].kept = 33;
    readPart<Corners>(golden, read);
    CHECK(read.corners[1].a == 10);
    CHECK(read.rows[1][0].a == 11);
    CHECK(read.rows[1][0].kept == 33);
    CHECK(errorOfPart<Corners, Grid>({golden.begin(), golden.end() - 1}) != "no error");

    grid.others.resize(1);
    const Ints others = intsOf(ferry::part<Others>(grid));
    CHECK(others == Ints{4, 0, 0, 4, 0, 0, 1, 1, 0x40000000, 4, 0});
    CHECK(errorOfPart<Others, Grid>({4, 0, 0, 4, 0, 2}) == "int 5 at corners[1].isOn: expected a bool (0 or 1), found 2");
}

TEST_CASE("View of a range: large fields can be lent, and come back") {
    std::vector<Cell> cells(2);
    cells[1].large[199] = 5;
    ferry::IntBuffer buffer;
    {
        ferry::IntWriter out(buffer);
        const auto part = ferry::part<Large>(cells);
        out.lend(part, 1024);
    }
    // On a big-endian machine arrays of double do not lie in memory as their ints, and are copied.
    CHECK(buffer.ownSize() == (ferry::detail::isBigEndian ? 1U + 2U * (1 + 400) : 1U + 2U));
    const Ints ints = intsOf(ferry::part<Large>(cells));
    CHECK(ints.size() == 1 + 2 * (1 + 400));
    std::vector<Cell> read;
    readPart<Large>(ints, read);
    CHECK(read[1].large[199] == 5);
}
