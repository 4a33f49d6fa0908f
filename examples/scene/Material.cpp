#include <ferry/examples/scene/Material.hpp>

#include <cmath>

namespace scene {

Surface Polished::surfaceAt(const Vector3& point) const { return {below->surfaceAt(point).colour, mirror}; }

Surface Chequered::surfaceAt(const Vector3& point) const {
    const auto field = static_cast<long>(std::floor(point.x / fieldLength)) + static_cast<long>(std::floor(point.z / fieldLength));
    return (field % 2 == 0 ? even : odd)->surfaceAt(point);
}

}    // namespace scene
