#include <ferry/serialization/ints/ByteOrder.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

namespace lendtest {

struct Sample {
    FERRY_FIELDS(id, values, text, tail)
    int id = 1;
    std::vector<double> values;
    std::string text;
    int tail = 2;
};

class Measurement : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(lendtest::Measurement)
    FERRY_FIELDS_VERSIONED(1, samples)
    std::vector<Sample> samples;
};

struct Doubled {    // the object that it writes is destroyed when writeToInts returns
    std::vector<int> values;
    void writeToInts(ferry::IntWriter& out) const {
        std::vector<int> twice;
        for (const int value : values) twice.push_back(2 * value);
        out << twice << values;
    }
    void readFromInts(ferry::IntReader& in) {
        std::vector<int> twice;
        in >> twice >> values;
    }
};

struct Passing {    // writes some temporary objects, and one that lives longer
    Sample kept;
    void writeToInts(ferry::IntWriter& out) const {
        for (int i = 0; i < 2; ++i) {
            Sample local;
            local.values.assign(50, i);
            local.writeToInts(out);
            if (i == 0) out << local;
        }
        kept.writeToInts(out);
    }
    void readFromInts(ferry::IntReader& in) {
        Sample local;
        for (int i = 0; i < 3; ++i) local.readFromInts(in);
        kept.readFromInts(in);
    }
};

class Extended : public Measurement {    // does by hand the work of FERRY_FIELDS_AFTER
public:
    FERRY_CLASS(lendtest::Extended)
    void writeToInts(ferry::IntWriter& out) const override {
        Measurement::writeToInts(out);
        out << more;
    }
    void readFromInts(ferry::IntReader& in) override {
        Measurement::readFromInts(in);
        in >> more;
    }
    std::vector<int> more;
};

struct Mixed {
    FERRY_FIELDS(before, doubled, after)
    std::vector<int> before;
    Doubled doubled;
    std::vector<int> after;
};

struct Fixed {    // only values with a known number of ints
    FERRY_FIELDS(id, values, tail)
    int id = 1;
    std::array<double, 200> values{};
    int tail = 2;
};

struct Cell {    // a plain struct whose memory is equal to its ints
    std::array<std::int32_t, 300> values{};
    std::int32_t tail = 3;
};

struct Grid {
    FERRY_FIELDS(text, bytes, cells, small)
    std::array<char, 1027> bytes{};
    std::string text = "grid";
    std::array<Cell, 2> cells;
    std::array<int, 100> small{};
};

}    // namespace lendtest

using namespace lendtest;
using ferry::IntBuffer;
using ferry::IntWriter;

namespace {

constexpr std::size_t lendBytes = 64;

template <class T>
IntBuffer lent(const T& value) {
    IntBuffer buffer;
    {
        IntWriter out(buffer);
        out.lend(value, lendBytes);
    }
    return buffer;
}

/// Returns the addresses of the arrays that the buffer borrows.
std::vector<const void*> borrowedIn(const IntBuffer& buffer) {
    std::vector<const void*> arrays;
    for (const IntBuffer::Segment& segment : buffer.segments()) {
        if (segment.isBorrowed) arrays.push_back(segment.bytes);
    }
    return arrays;
}

/// Arrays whose elements are no ints. On a big-endian machine they do not lie in memory as their ints, and are copied.
std::vector<const void*> unlessCopied(std::vector<const void*> arrays) {
    if (ferry::detail::isBigEndian) arrays.clear();
    return arrays;
}

template <class T>
void checkSameStream(const IntBuffer& buffer, const T& value) {
    const IntBuffer owned = buffer;
    const ferry::test::Ints copied = ferry::test::intsOf(value);
    CHECK(std::equal(copied.begin(), copied.end(), owned.ints().begin(), owned.ints().end()));
}

}    // namespace

TEST_CASE("Lend: large arrays are borrowed, small ones copied, and the stream is the same") {
    Sample sample;
    sample.values.assign(8, 1.5);
    sample.text = std::string(63, 'x');
    const IntBuffer buffer = lent(sample);
    CHECK(borrowedIn(buffer) == unlessCopied({sample.values.data()}));
    checkSameStream(buffer, sample);
}

TEST_CASE("Lend: the last bytes of an array that fills no whole int are copied") {
    for (std::size_t length = 64; length < 70; ++length) {
        Sample sample;
        for (std::size_t i = 0; i < length; ++i) sample.text += static_cast<char>('a' + i % 26);
        const IntBuffer buffer = lent(sample);
        CHECK(borrowedIn(buffer) == unlessCopied({sample.text.data()}));
        checkSameStream(buffer, sample);
    }
}

TEST_CASE("Lend: fields of objects in containers, and lengths of objects with versions") {
    Measurement measurement;
    measurement.samples.resize(3);
    measurement.samples[0].values.assign(100, 1);
    measurement.samples[2].text = std::string(1000, 'y');
    const IntBuffer buffer = lent(measurement);
    CHECK(borrowedIn(buffer) == unlessCopied({measurement.samples[0].values.data(), measurement.samples[2].text.data()}));
    checkSameStream(buffer, measurement);
}

TEST_CASE("Lend: fields that a class writes by hand are copied, fields beside them are not") {
    Mixed mixed;
    mixed.before.assign(50, 1);
    mixed.doubled.values.assign(50, 2);
    mixed.after.assign(50, 3);
    const IntBuffer buffer = lent(mixed);
    CHECK(borrowedIn(buffer) == std::vector<const void*>{mixed.before.data(), mixed.after.data()});
    checkSameStream(buffer, mixed);
}

TEST_CASE("Lend: nothing is borrowed of objects that a class makes itself to write them") {
    std::vector<Passing> passing(2);
    passing[1].kept.values.assign(50, 9);
    const IntBuffer buffer = lent(passing);
    for (const void* array : borrowedIn(buffer)) CHECK(array == passing[1].kept.values.data());
    checkSameStream(buffer, passing);

    Extended extended;
    extended.samples.resize(1);
    extended.samples[0].values.assign(50, 1);
    extended.more.assign(50, 2);
    const IntBuffer extendedBuffer = lent(extended);
    CHECK(borrowedIn(extendedBuffer) == unlessCopied({extended.samples[0].values.data()}));
    checkSameStream(extendedBuffer, extended);
}

TEST_CASE("Lend: a std::array is borrowed from 1 KiB on, also between values whose ints are known in number") {
    Fixed fixed;
    fixed.values.fill(2.5);
    const IntBuffer buffer = lent(fixed);
    CHECK(borrowedIn(buffer) == unlessCopied({fixed.values.data()}));
    checkSameStream(buffer, fixed);

    Grid grid;
    grid.bytes.fill('z');
    grid.cells[1].values.fill(4);
    const IntBuffer gridBuffer = lent(grid);
    std::vector<const void*> ofGrid = unlessCopied({grid.bytes.data()});
    ofGrid.push_back(grid.cells.data());
    CHECK(borrowedIn(gridBuffer) == ofGrid);
    checkSameStream(gridBuffer, grid);

    Cell cell;
    const IntBuffer cellBuffer = lent(cell);
    CHECK(borrowedIn(cellBuffer) == std::vector<const void*>{cell.values.data()});
    checkSameStream(cellBuffer, cell);
}

TEST_CASE("Lend: the writer goes on by copying, and a later writer appends") {
    const std::vector<int> values(100, 7);
    IntBuffer buffer;
    {
        IntWriter out(buffer);
        out.lend(values, lendBytes);
        CHECK(out.position() == 101);
        out << values;
    }
    CHECK(borrowedIn(buffer).size() == 1);
    CHECK(buffer.size() == 202);
    IntWriter more(buffer);
    CHECK(more.position() == 202);
    more << 5;
    more.finish();
    buffer.makeOwned();
    CHECK(buffer.ints().size() == 203);
    CHECK(buffer.ints().back() == 5);
}

TEST_CASE("Lend: an exception while writing leaves the writer copying") {
    std::map<std::string, std::unique_ptr<ferry::IntSerializableObject>> objects;
    struct Unnamed : Measurement {};    // FERRY_CLASS is missing
    objects["a"] = std::make_unique<Unnamed>();
    IntBuffer buffer;
    IntWriter out(buffer);
    CHECK_THROWS(out.lend(objects, 1));
    const std::vector<int> values(100, 7);
    out << values;
    out.finish();
    CHECK(borrowedIn(buffer).size() <= 1);    // at most the key is borrowed
}
