#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace scene {

/// A rectangle of the picture, in pixels.
struct Area {
    int left = 0;
    int top = 0;
    int width = 0;
    int height = 0;
};

/// A picture of 3 bytes for each pixel: red, green and blue.
class Image {
public:
    Image(int width, int height);

    int width() const { return width_; }
    int height() const { return height_; }
    /// Puts the pixels of an area in their place. Errors: std::invalid_argument when they are not as many as the area has, or lie outside.
    void place(const Area& area, const std::vector<std::uint8_t>& pixels);
    /// As the bytes of a binary PPM file.
    std::string asPpm() const;

private:
    int width_;
    int height_;
    std::vector<std::uint8_t> pixels_;
};

/// Cuts a picture into squares of so many pixels, those at the right and at the bottom smaller.
std::vector<Area> tilesOf(int width, int height, int tileSize);

}    // namespace scene
