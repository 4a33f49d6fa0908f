#pragma once

#include <ferry/examples/scene/Ray.hpp>

namespace scene {

/// The position and direction from which a picture of the scene is taken.
struct Camera {
    Vector3 position;
    Vector3 target;
    double width = 1;    ///< width of the picture at a distance of one unit before the camera

    /// Returns the ray through a point of the picture: x runs from -0.5 (left) to 0.5; y has the same unit and points up.
    Ray rayThrough(double x, double y) const {
        const Vector3 ahead = normalized(target - position);
        const Vector3 right = normalized(cross(ahead, {0, 1, 0}));
        const Vector3 up = cross(right, ahead);
        return {position, normalized(ahead + right * (x * width) + up * (y * width))};
    }
};

}    // namespace scene
