#pragma once

#include <array>
#include <cstdint>

#include <ferry/examples/scene/Ray.hpp>

namespace scene {

/// A triangle with a normal at each corner, so that a mesh looks smooth.
/// A triangle has no padding bytes, so a vector of triangles travels in one piece.
struct Triangle {
    std::array<Vector3, 3> corners;
    std::array<Vector3, 3> normals;
    std::int32_t material = 0;    ///< index into the scene's materials
    std::int32_t mesh = 0;        ///< number of the body that the triangle belongs to

    Vector3 centre() const { return (corners[0] + corners[1] + corners[2]) * (1.0 / 3); }
    /// The smooth normal at a hit of this triangle.
    Vector3 normalAt(const Hit& hit) const;
    /// Stores the hit with this triangle in `nearest` when it is nearer than the hit that `nearest` holds.
    void intersect(const Ray& ray, Hit& nearest) const;
};

}    // namespace scene
