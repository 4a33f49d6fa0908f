#pragma once

#include <limits>

#include <ferry/examples/scene/Vector3.hpp>

namespace scene {

struct Triangle;

/// A half line. The direction has length 1.
struct Ray {
    Vector3 origin;
    Vector3 direction;
};

/// The nearest triangle that the ray has hit so far.
struct Hit {
    double distance = std::numeric_limits<double>::infinity();
    const Triangle* triangle = nullptr;
    double u = 0;    ///< weight of the second corner
    double v = 0;    ///< weight of the third corner
};

}    // namespace scene
