#include <ferry/examples/scene/Image.hpp>

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace scene {

Image::Image(int width, int height)
    : width_(width),
      height_(height),
      pixels_(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

void Image::place(const Area& area, const std::vector<std::uint8_t>& pixels) {
    const bool isInside = area.left >= 0 && area.top >= 0 && area.width >= 0 && area.height >= 0 && area.left + area.width <= width_ &&
                          area.top + area.height <= height_;
    const auto rowBytes = 3 * static_cast<std::size_t>(area.width);
    if (!isInside || pixels.size() != rowBytes * static_cast<std::size_t>(area.height))
        throw std::invalid_argument(fmt::format("{} bytes for an area of {} x {} at {}, {} of a picture of {} x {}", pixels.size(),
                                                area.width, area.height, area.left, area.top, width_, height_));
    for (int row = 0; row < area.height; ++row) {
        const auto source = pixels.begin() + static_cast<std::ptrdiff_t>(rowBytes) * row;
        std::copy_n(source, rowBytes, pixels_.begin() + 3 * (static_cast<std::ptrdiff_t>(area.top + row) * width_ + area.left));
    }
}

std::string Image::asPpm() const { return fmt::format("P6\n{} {}\n255\n", width_, height_) + std::string(pixels_.begin(), pixels_.end()); }

std::vector<Area> tilesOf(int width, int height, int tileSize) {
    std::vector<Area> tiles;
    for (int top = 0; top < height; top += tileSize) {
        for (int left = 0; left < width; left += tileSize)
            tiles.push_back({left, top, std::min(tileSize, width - left), std::min(tileSize, height - top)});
    }
    return tiles;
}

}    // namespace scene
