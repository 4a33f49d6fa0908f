#include <ferry/serialization/Codec.hpp>

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry::test;

namespace codectest {

class Colour {    // a class of another library, which cannot be changed
public:
    Colour() = default;
    explicit Colour(unsigned rgba) : rgba_(rgba) {}
    unsigned rgba() const { return rgba_; }

private:
    unsigned rgba_ = 0;
};

template <class T>
class Matrix {
public:
    std::vector<T> cells;
};

struct ByHand {    // has its own functions for writing and reading, and no base class
    void writeToInts(ferry::IntWriter& out) const { out << length << text; }
    void readFromInts(ferry::IntReader& in) { in >> length >> text; }
    int length = 0;
    std::string text;
};

class Opaque {
public:
    explicit Opaque(int) {}
};

}    // namespace codectest

template <>
struct ferry::Codec<codectest::Colour> {
    static void write(IntWriter& out, const codectest::Colour& colour) { out << colour.rgba(); }
    static void read(IntReader& in, codectest::Colour& colour) {
        unsigned rgba = 0;
        in >> rgba;
        colour = codectest::Colour(rgba);
    }
};

template <class T>
struct ferry::Codec<codectest::Matrix<T>> {
    static void write(IntWriter& out, const codectest::Matrix<T>& matrix) { out << matrix.cells; }
    static void read(IntReader& in, codectest::Matrix<T>& matrix) { in >> matrix.cells; }
};

using namespace codectest;

TEST_CASE("Codec: a specialisation makes foreign types travel, in containers too") {
    CHECK(checkTravel(Colour(7), {7}).rgba() == 7);
    const std::vector<Colour> colours{Colour(1), Colour(2)};
    CHECK(checkTravel(colours, {2, 1, 2})[1].rgba() == 2);
    CHECK(checkTravel(Matrix<int>{{1, 2}}, {2, 1, 2}).cells.size() == 2);
}

TEST_CASE("Codec: members writeToInts and readFromInts are enough") {
    const ByHand value{3, "abc"};
    CHECK(checkTravel(value, {3, 3, 0x636261}).text == "abc");
    CHECK(checkTravel(std::vector<ByHand>{value}, {1, 3, 3, 0x636261}).size() == 1);
}

TEST_CASE("Codec: types say whether they can be written") {
    static_assert(ferry::detail::Writable<Colour>);
    static_assert(ferry::detail::Writable<std::vector<ByHand>>);
    static_assert(!ferry::detail::Writable<Opaque>);
    static_assert(!ferry::detail::Writable<std::vector<Opaque>>);
    static_assert(!ferry::detail::Writable<std::pair<int, Opaque>>);
    static_assert(!ferry::detail::Writable<int*>);
    static_assert(!ferry::detail::Writable<const char*>);
    static_assert(!ferry::detail::Writable<void (*)()>);
    static_assert(!ferry::detail::Writable<std::unique_ptr<Opaque>>);
    static_assert(!ferry::detail::Writable<std::unique_ptr<int[]>>);
    static_assert(ferry::detail::Writable<std::weak_ptr<int>>);
}
