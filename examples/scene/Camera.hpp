#pragma once

#include <ferry/examples/scene/Ray.hpp>

namespace scene {

/// Where the scene is looked at from.
struct Camera {
    Vector3 position;
    Vector3 target;
    double width = 1;    ///< of the picture, where it hangs one unit before the camera

    /// The ray through a point of the picture: x from -0.5, left, to 0.5; y in the same unit, up.
    Ray rayThrough(double x, double y) const {
        const Vector3 ahead = normalized(target - position);
        const Vector3 right = normalized(cross(ahead, {0, 1, 0}));
        const Vector3 up = cross(right, ahead);
        return {position, normalized(ahead + right * (x * width) + up * (y * width))};
    }
};

}    // namespace scene
