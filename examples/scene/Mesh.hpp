#pragma once

#include <cstdint>
#include <vector>

#include <ferry/examples/scene/Triangle.hpp>

namespace scene {

/// A ring with a round section (a torus); with a ring radius of 0 it is a ball.
struct RoundBody {
    Vector3 centre;
    double ringRadius = 0;
    double tubeRadius = 1;
    double tilt = 0;    ///< radians around the x axis
    std::int32_t material = 0;
    std::int32_t mesh = 0;
};

/// Appends a mesh of 2 * steps * steps triangles.
void appendMesh(const RoundBody& body, int steps, std::vector<Triangle>& triangles);

}    // namespace scene
