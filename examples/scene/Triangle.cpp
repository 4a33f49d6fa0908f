#include <ferry/examples/scene/Triangle.hpp>

#include <cmath>

namespace scene {

namespace {

constexpr double nearestDistance = 1e-6;    ///< a nearer hit is the start of the ray itself
constexpr double flatness = 1e-12;          ///< a ray that is as parallel to the triangle as this misses it

}    // namespace

Vector3 Triangle::normalAt(const Hit& hit) const {
    return normalized(normals[0] * (1 - hit.u - hit.v) + normals[1] * hit.u + normals[2] * hit.v);
}

void Triangle::intersect(const Ray& ray, Hit& nearest) const {
    const Vector3 first = corners[1] - corners[0];
    const Vector3 second = corners[2] - corners[0];
    const Vector3 perpendicular = cross(ray.direction, second);
    const double determinant = dot(first, perpendicular);
    if (std::abs(determinant) < flatness) return;
    const Vector3 offset = ray.origin - corners[0];
    const double u = dot(offset, perpendicular) / determinant;
    if (u < 0 || u > 1) return;
    const Vector3 across = cross(offset, first);
    const double v = dot(ray.direction, across) / determinant;
    if (v < 0 || u + v > 1) return;
    const double distance = dot(second, across) / determinant;
    if (distance > nearestDistance && distance < nearest.distance) nearest = {distance, this, u, v};
}

}    // namespace scene
