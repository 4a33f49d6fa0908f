#pragma once

#include <cstdint>
#include <vector>

#include <ferry/ferry.hpp>

#include <ferry/examples/scene/Image.hpp>

namespace scene {

/// The pixels of one tile, 3 bytes each.
class RenderedTile final : public ferry::Message {
public:
    FERRY_CLASS(scene::RenderedTile)
    FERRY_FIELDS(area, pixels)
    Area area;
    std::vector<std::uint8_t> pixels;
};

/// Asks a slave to render one tile of a picture of the given width and height in pixels. Every slave has the scene.
class RenderTile final : public ferry::Message {
public:
    FERRY_CLASS(scene::RenderTile)
    FERRY_FIELDS(area, imageWidth, imageHeight, camera)
    using Reply = RenderedTile;
    Area area;
    int imageWidth = 0;
    int imageHeight = 0;
    std::uint32_t camera = 0;
};

}    // namespace scene
