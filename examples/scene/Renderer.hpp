#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ferry/examples/scene/Image.hpp>
#include <ferry/examples/scene/Scene.hpp>

namespace scene {

/// Follows rays through the scene, and computes colours, shadows and mirror images.
///
/// Ownership: the scene must outlive the renderer. Threads: any number may render at the same time.
class Renderer {
public:
    /// Prepares a picture of width x height pixels from one of the scene's cameras. Errors: std::out_of_range when there is no such
    /// camera.
    Renderer(const Scene& scene, int width, int height, std::size_t camera = 0);

    /// Returns 3 bytes for each pixel of the area, row by row.
    std::vector<std::uint8_t> render(const Area& area) const;

private:
    Vector3 colourAlong(const Ray& ray, int mirrorsLeft) const;
    Vector3 lightAt(const Vector3& point, const Vector3& normal) const;

    const Scene& scene_;
    const Camera camera_;
    int width_;
    int height_;
};

}    // namespace scene
