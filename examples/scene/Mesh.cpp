#include <ferry/examples/scene/Mesh.hpp>

#include <cmath>
#include <numbers>

namespace scene {

namespace {

struct Corner {
    Vector3 position;
    Vector3 normal;
};

Vector3 tilted(const Vector3& a, double angle) {
    return {a.x, a.y * std::cos(angle) - a.z * std::sin(angle), a.y * std::sin(angle) + a.z * std::cos(angle)};
}

/// Returns the corner at these two fractions of a full turn: one around the ring, one around the tube.
Corner cornerAt(const RoundBody& body, double aroundRing, double aroundTube) {
    const bool isBall = body.ringRadius == 0;
    const double ringAngle = 2 * std::numbers::pi * aroundRing;
    const double tubeAngle = isBall ? std::numbers::pi * (aroundTube - 0.5) : 2 * std::numbers::pi * aroundTube;
    const Vector3 outward{std::cos(ringAngle), 0, std::sin(ringAngle)};
    const Vector3 normal = outward * std::cos(tubeAngle) + Vector3{0, std::sin(tubeAngle), 0};
    return {body.centre + tilted(outward * body.ringRadius + normal * body.tubeRadius, body.tilt), tilted(normal, body.tilt)};
}

Triangle triangleOf(const RoundBody& body, const Corner& a, const Corner& b, const Corner& c) {
    return {{a.position, b.position, c.position}, {a.normal, b.normal, c.normal}, body.material, body.mesh};
}

}    // namespace

void appendMesh(const RoundBody& body, int steps, std::vector<Triangle>& triangles) {
    const auto corner = [&](int ring, int tube) {
        return cornerAt(body, static_cast<double>(ring) / steps, static_cast<double>(tube) / steps);
    };
    for (int ring = 0; ring < steps; ++ring) {
        for (int tube = 0; tube < steps; ++tube) {
            const Corner a = corner(ring, tube);
            const Corner b = corner(ring + 1, tube);
            const Corner c = corner(ring, tube + 1);
            const Corner d = corner(ring + 1, tube + 1);
            triangles.push_back(triangleOf(body, a, b, c));
            triangles.push_back(triangleOf(body, b, d, c));
        }
    }
}

}    // namespace scene
