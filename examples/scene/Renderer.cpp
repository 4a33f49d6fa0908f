#include <ferry/examples/scene/Renderer.hpp>

#include <algorithm>
#include <cmath>

namespace scene {

namespace {

constexpr int mirrorLimit = 3;
constexpr Vector3 ambientLight{0.18, 0.19, 0.22};

Vector3 skyAlong(const Vector3& direction) {
    const double height = 0.5 * (direction.y + 1);
    return Vector3{0.9, 0.92, 0.95} * (1 - height) + Vector3{0.35, 0.55, 0.85} * height;
}

std::uint8_t byteOf(double brightness) { return static_cast<std::uint8_t>(std::lround(255 * std::clamp(brightness, 0.0, 1.0))); }

}    // namespace

Renderer::Renderer(const Scene& scene, int width, int height, std::size_t camera)
    : scene_(scene),
      camera_(scene.cameras.at(camera)),
      width_(width),
      height_(height) {}

std::vector<std::uint8_t> Renderer::render(const Area& area) const {
    std::vector<std::uint8_t> pixels;
    pixels.reserve(3 * static_cast<std::size_t>(area.width) * static_cast<std::size_t>(area.height));
    for (int row = area.top; row < area.top + area.height; ++row) {
        for (int column = area.left; column < area.left + area.width; ++column) {
            const double x = (column + 0.5) / width_ - 0.5;
            const double y = (0.5 * height_ - (row + 0.5)) / width_;
            const Vector3 colour = colourAlong(camera_.rayThrough(x, y), mirrorLimit);
            pixels.insert(pixels.end(), {byteOf(colour.x), byteOf(colour.y), byteOf(colour.z)});
        }
    }
    return pixels;
}

Vector3 Renderer::colourAlong(const Ray& ray, int mirrorsLeft) const {
    const Hit hit = scene_.nearestHit(ray);
    if (hit.triangle == nullptr) return skyAlong(ray.direction);
    const Vector3 point = ray.origin + ray.direction * hit.distance;
    Vector3 normal = hit.triangle->normalAt(hit);
    if (dot(normal, ray.direction) > 0) normal = normal * -1;
    const Surface surface = scene_.materials[static_cast<std::size_t>(hit.triangle->material)]->surfaceAt(point);
    const Vector3 own = surface.colour * lightAt(point, normal);
    if (surface.mirror == 0 || mirrorsLeft == 0) return own;
    const Vector3 mirrored = normalized(ray.direction - normal * (2 * dot(ray.direction, normal)));
    return own * (1 - surface.mirror) + colourAlong({point, mirrored}, mirrorsLeft - 1) * surface.mirror;
}

Vector3 Renderer::lightAt(const Vector3& point, const Vector3& normal) const {
    Vector3 sum = ambientLight;
    for (const Light& light : scene_.lights) {
        const Vector3 toLight = light.position - point;
        const double distance = lengthOf(toLight);
        const Vector3 direction = toLight * (1 / distance);
        const double slant = dot(normal, direction);
        if (slant > 0 && !scene_.isBlocked({point, direction}, distance)) sum = sum + light.colour * slant;
    }
    return sum;
}

}    // namespace scene
