#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>

namespace bench {

/// Base class of three small classes. Their objects travel behind pointers to Shape.
class Shape : public ferry::IntSerializableObject {
public:
    /// Makes an object of the same class with the same amount of allocated memory, but with other contents.
    virtual std::unique_ptr<Shape> allocateAlike() const = 0;
};

/// Four ints.
class Point final : public Shape {
public:
    FERRY_CLASS(bench::Point)
    FERRY_FIELDS(x, y, z, colour)
    std::unique_ptr<Shape> allocateAlike() const override { return std::make_unique<Point>(); }
    int x = 0;
    int y = 0;
    float z = 0;
    int colour = 0;
};

/// A vector of ints.
class Line final : public Shape {
public:
    FERRY_CLASS(bench::Line)
    FERRY_FIELDS(points)
    std::unique_ptr<Shape> allocateAlike() const override {
        auto alike = std::make_unique<Line>();
        alike->points.reserve(points.size());
        return alike;
    }
    std::vector<int> points;
};

/// Eleven ints.
class Frame final : public Shape {
public:
    FERRY_CLASS(bench::Frame)
    FERRY_FIELDS(left, top, width, height, depth, layer, red, green, blue, opacity, id)
    std::unique_ptr<Shape> allocateAlike() const override { return std::make_unique<Frame>(); }
    int left = 0;
    int top = 0;
    int width = 0;
    int height = 0;
    int depth = 0;
    int layer = 0;
    float red = 0;
    float green = 0;
    float blue = 0;
    float opacity = 0;
    int id = 0;
};

using Shapes = std::vector<std::unique_ptr<Shape>>;

/// The classes above that are not abstract, for functions that handle all of them.
template <class T>
concept ConcreteShape = std::is_same_v<T, Point> || std::is_same_v<T, Line> || std::is_same_v<T, Frame>;

}    // namespace bench
