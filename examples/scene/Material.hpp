#pragma once

#include <ferry/ferry.hpp>

#include <ferry/examples/scene/Vector3.hpp>

namespace scene {

/// The appearance of a material at one point.
struct Surface {
    Vector3 colour;
    double mirror = 0;    ///< from 0 (all light comes from the colour) to 1 (all light comes from the mirror image)
};

/// Base of the kinds of material. Triangles refer to materials by index. Materials refer to each other by pointers.
class Material : public ferry::IntSerializableObject {
public:
    virtual Surface surfaceAt(const Vector3& point) const = 0;
};

/// A material of one colour.
class Matte final : public Material {
public:
    FERRY_CLASS(scene::Matte)
    FERRY_FIELDS(colour)
    Matte() = default;
    explicit Matte(const Vector3& theColour) : colour(theColour) {}
    Surface surfaceAt(const Vector3&) const override { return {colour, 0}; }

    Vector3 colour;
};

/// Another material under a polish, which mirrors.
class Polished final : public Material {
public:
    FERRY_CLASS(scene::Polished)
    FERRY_FIELDS(below, mirror)
    Polished() = default;
    Polished(Material* theMaterialBelow, double theMirror) : below(theMaterialBelow), mirror(theMirror) {}
    Surface surfaceAt(const Vector3& point) const override;

    Material* below = nullptr;
    double mirror = 0;
};

/// Two materials in the pattern of a chessboard.
class Chequered final : public Material {
public:
    FERRY_CLASS(scene::Chequered)
    FERRY_FIELDS(even, odd, fieldLength)
    Chequered() = default;
    Chequered(Material* theEven, Material* theOdd, double theFieldLength) : even(theEven), odd(theOdd), fieldLength(theFieldLength) {}
    Surface surfaceAt(const Vector3& point) const override;

    Material* even = nullptr;
    Material* odd = nullptr;
    double fieldLength = 1;
};

}    // namespace scene
