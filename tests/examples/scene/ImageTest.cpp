#include <ferry/examples/scene/Image.hpp>

#include <stdexcept>

#include <doctest/doctest.h>

namespace {

using scene::Area;
using scene::Image;
using Bytes = std::vector<std::uint8_t>;

}    // namespace

TEST_CASE("tilesOf: every pixel is in one tile") {
    std::vector<int> visits(20 * 13);
    for (const Area& tile : scene::tilesOf(20, 13, 6)) {
        for (int row = tile.top; row < tile.top + tile.height; ++row) {
            for (int column = tile.left; column < tile.left + tile.width; ++column)
                ++visits.at(static_cast<std::size_t>(row * 20 + column));
        }
    }
    CHECK(visits == std::vector<int>(20 * 13, 1));
}

TEST_CASE("Image: areas land in their place") {
    Image image(2, 2);
    image.place({1, 0, 1, 2}, Bytes{'a', 'b', 'c', 'd', 'e', 'f'});
    image.place({0, 1, 1, 1}, Bytes{'x', 'y', 'z'});
    using namespace std::string_literals;
    CHECK(image.asPpm() == "P6\n2 2\n255\n\0\0\0abcxyzdef"s);
}

TEST_CASE("Image: pixels that are too few, or lie outside, are refused") {
    Image image(2, 2);
    CHECK_THROWS_AS(image.place({0, 0, 2, 1}, Bytes(5)), std::invalid_argument);
    CHECK_THROWS_AS(image.place({1, 1, 2, 1}, Bytes(6)), std::invalid_argument);
    CHECK_THROWS_AS(image.place({-1, 0, 1, 1}, Bytes(3)), std::invalid_argument);
}
