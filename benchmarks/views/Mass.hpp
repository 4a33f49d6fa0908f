#pragma once

#include <utility>
#include <vector>

// A class as another library has it: it never heard of any library that sends it, and keeps its members to itself.

namespace space {

/// A point mass in the plane, and the forces on it.
class Mass {
public:
    Mass() = default;
    Mass(float mass, float x, float y) : mass_(mass), x_(x), y_(y) {}
    /// Those that pull at this one.
    void setSurrounding(std::vector<Mass> surrounding) { surrounding_ = std::move(surrounding); }

private:
    float mass_ = 1, x_ = 0, y_ = 0;
    float forceX_ = 0, forceY_ = 0;
    std::vector<Mass> surrounding_;
};

/// A stretch of a field: numbers that others need, and as many that they do not.
template <int Count>
class Slab {
public:
    Slab() = default;
    explicit Slab(double value) {
        for (double& each : edge_) each = value;
    }

private:
    double edge_[Count] = {};
    double inside_[Count] = {};
};

}    // namespace space
