#pragma once

#include <algorithm>
#include <limits>

#include <ferry/examples/scene/Ray.hpp>

namespace scene {

/// A box with sides along the axes, around all points that were included; there has to be at least one.
struct Box {
    static constexpr double far = std::numeric_limits<double>::infinity();

    Vector3 low{far, far, far};
    Vector3 high{-far, -far, -far};

    void include(const Vector3& point) {
        low = smallest(low, point);
        high = largest(high, point);
    }

    /// Whether the ray is inside the box at any point nearer than the distance.
    /// The inverse is 1 / direction, component by component.
    bool isHitBy(const Ray& ray, const Vector3& inverse, double distance) const {
        const Vector3 a = (low - ray.origin) * inverse;
        const Vector3 b = (high - ray.origin) * inverse;
        const Vector3 enter = smallest(a, b);
        const Vector3 leave = largest(a, b);
        const double first = std::max({enter.x, enter.y, enter.z, 0.0});
        const double last = std::min({leave.x, leave.y, leave.z, distance});
        return first <= last;
    }
};

}    // namespace scene
