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
    /// Copies the pixels of an area to their place.
    /// Errors: std::invalid_argument when the number of pixels differs from that of the area, or when the area lies outside.
    void place(const Area& area, const std::vector<std::uint8_t>& pixels);
    /// Returns the picture as the bytes of a binary PPM file.
    std::string asPpm() const;

private:
    int width_;
    int height_;
    std::vector<std::uint8_t> pixels_;
};

/// Cuts a picture into squares with sides of tileSize pixels. The tiles at the right and at the bottom may be smaller.
std::vector<Area> tilesOf(int width, int height, int tileSize);

}    // namespace scene
