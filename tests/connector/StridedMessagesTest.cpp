#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/message/messageBytes.hpp>
#include <ferry/serialization/codec/Strided.hpp>
#include <ferry/serialization/codec/Subarray.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/support/Everywhere.hpp>

using namespace ferry;
using namespace ferry::test;

namespace stridedmessagestest {

/// A square matrix, row by row, whose numbers begin with `first`.
std::vector<double> matrixOf(std::size_t side, double first) {
    std::vector<double> matrix(side * side);
    std::iota(matrix.begin(), matrix.end(), first);
    return matrix;
}

}    // namespace stridedmessagestest

using namespace stridedmessagestest;

TEST_CASE("Strided: a column goes to a column, a row and a vector of another rank, small and large") {
    onRanksAndSimulated([](Connector& c) {
        const int from = previousRank(c);
        for (const std::size_t side : {std::size_t{1}, std::size_t{3}, std::size_t{400}}) {
            const std::vector<double> matrix = matrixOf(side, 1000.0 * c.rank());
            const auto step = static_cast<std::ptrdiff_t>(side);
            for (int i = 0; i < 3; ++i) c.send(nextRank(c), strided(matrix.data() + side / 2, side, step), Tag(i));
            std::vector<double> columns(side * 2, -1), row(side);
            c.receiveInto(from, strided(columns.data() + 1, side, 2), Tag(0));
            c.receiveInto(from, std::span(row), Tag(1));
            const auto vector = c.receive<std::vector<double>>(from, Tag(2));
            for (std::size_t i = 0; i < side; ++i) {
                const double expected = 1000.0 * from + static_cast<double>(i * side + side / 2);
                CHECK(columns[2 * i] == -1);
                CHECK(columns[2 * i + 1] == expected);
                CHECK(row[i] == expected);
                CHECK(vector[i] == expected);
            }
        }
    });
}

TEST_CASE("Strided: a large part of a matrix, with whole blocks on one side or on both") {
    onRanksAndSimulated([](Connector& c) {
        const int from = previousRank(c);
        constexpr std::size_t side = 600;
        constexpr std::size_t rows = 300;
        constexpr std::size_t columns = 500;
        const std::vector<double> matrix = matrixOf(side, c.rank());
        std::vector<double> target(side * side, -1);
        std::vector<double> whole(rows * columns);
        const auto partOf = [](auto* corner) { return strided(corner, rows, static_cast<std::ptrdiff_t>(side), columns); };
        c.send(nextRank(c), partOf(matrix.data() + 7));
        c.receiveInto(from, partOf(target.data() + 9));
        c.send(nextRank(c), partOf(matrix.data() + 7));
        c.receiveInto(from, whole);
        c.send(nextRank(c), whole);
        std::vector<double> back(side * side, -1);
        c.receiveInto(from, partOf(back.data()));
        const std::vector<double> odd(rows * 3, 2.5);
        c.send(nextRank(c), odd);
        c.receiveInto(from, strided(back.data(), rows, static_cast<std::ptrdiff_t>(side), 3));
        bool isRight = true;
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t column = 0; column < columns; ++column) {
                const double expected = from + static_cast<double>(row * side + column + 7);
                isRight = isRight && target[row * side + column + 9] == expected && whole[row * columns + column] == expected;
                const double earlier = from == 0 ? c.size() - 1 : from - 1;
                const double backed = column < 3 ? 2.5 : earlier + static_cast<double>(row * side + column + 7);
                isRight = isRight && back[row * side + column] == backed;
            }
            isRight = isRight && target[row * side + 8] == -1 && target[row * side + 9 + columns] == -1;
        }
        CHECK(isRight);
    });
}

TEST_CASE("Strided: texts and bytes, posted vectors, and a receiver with another number of places") {
    onRanksAndSimulated([](Connector& c) {
        const int from = previousRank(c);
        const std::vector<std::string> names{"a", "b", "c", "d", "e"};
        c.send(nextRank(c), strided(names.data(), 3, 2));
        std::vector<std::string> places(6, "-");
        c.receiveInto(from, strided(places.data(), 3, 2));
        CHECK(places == std::vector<std::string>{"a", "-", "c", "-", "e", "-"});

        std::vector<char> bytes(100'000, '.');
        Pending<std::vector<char>> posted = c.post(nextRank(c), std::vector<char>(50'000, 'x'));
        c.receiveInto(from, strided(bytes.data(), 50'000, 2));
        CHECK(bytes[0] == 'x');
        CHECK(bytes[1] == '.');
        CHECK(bytes[99'998] == 'x');
        CHECK(posted.get().size() == 50'000);
        Pending<std::vector<double>> doubles = c.post(nextRank(c), std::vector<double>(50'000, 1.5));
        std::vector<double> spread(100'000, -1);
        c.receiveInto(from, strided(spread.data() + 1, 50'000, 2));
        CHECK(spread[0] == -1);
        CHECK(spread[99'999] == 1.5);
        CHECK(doubles.get().size() == 50'000);

        c.send(nextRank(c), std::vector<double>(5));
        CHECK_THROWS_AS(c.receiveInto(from, strided(spread.data(), 4, 2)), SerializationError);
        c.barrier();
        CHECK(spread[0] == -1);
        CHECK(spread[2] == -1);
    });
}

TEST_CASE("subarray: the faces of a field with three dimensions go to the halo of another rank, small and large") {
    onRanksAndSimulated([](Connector& c) {
        const int from = previousRank(c);
        for (const std::size_t side : {std::size_t{4}, std::size_t{66}}) {
            std::vector<double> field(side * side * side, -1);
            const std::size_t inner = side - 2;
            const auto at = [side](std::size_t z, std::size_t y, std::size_t x) { return (z * side + y) * side + x; };
            for (std::size_t z = 1; z <= inner; ++z) {
                for (std::size_t y = 1; y <= inner; ++y) {
                    for (std::size_t x = 1; x <= inner; ++x) field[at(z, y, x)] = c.rank() + 0.001 * static_cast<double>(at(z, y, x));
                }
            }
            for (std::size_t dimension = 0; dimension < 3; ++dimension) {
                const std::array sizes{side, side, side};
                std::array counts{inner, inner, inner};
                std::array<std::size_t, 3> last{1, 1, 1}, halo{1, 1, 1};
                counts[dimension] = 1;
                last[dimension] = inner;
                halo[dimension] = 0;
                c.send(nextRank(c), subarray(field.data(), sizes, counts, last));
                c.receiveInto(from, subarray(field.data(), sizes, counts, halo));
            }
            const std::size_t y = 1, x = inner / 2 + 1;
            CHECK(field[at(0, y, x)] == from + 0.001 * static_cast<double>(at(inner, y, x)));
            CHECK(field[at(y, 0, x)] == from + 0.001 * static_cast<double>(at(y, inner, x)));
            CHECK(field[at(y, x, 0)] == from + 0.001 * static_cast<double>(at(y, x, inner)));
            CHECK(field[at(0, 0, x)] == -1);
            CHECK(field[at(0, y, 0)] == -1);
            CHECK(field[at(0, y, side - 1)] == -1);

            c.send(nextRank(c), subarray(field.data(), {side, side, side}, {inner, inner, inner}, {1, 1, 1}));
            const auto whole = c.receive<std::vector<double>>(from);
            bool isRight = whole.size() == inner * inner * inner;
            for (std::size_t i = 0; isRight && i < whole.size(); ++i)
                isRight = whole[i] == from + 0.001 * static_cast<double>(at(i / inner / inner + 1, i / inner % inner + 1, i % inner + 1));
            CHECK(isRight);
            CHECK(messageBytes(subarray(field.data(), {side, side, side}, {inner, 1, 1}, {1, 1, 1})) ==
                  messageBytes(std::vector<double>(inner)));
        }
    });
}
