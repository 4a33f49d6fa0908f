#pragma once

#include <utility>
#include <vector>

// A class as in a third-party library. The class does not know of any library that sends it, and its members are private.

namespace space {

/// A point mass in the plane, and the forces on it.
class Mass {
public:
    Mass() = default;
    Mass(float mass, float x, float y) : mass_(mass), x_(x), y_(y) {}
    /// Sets the masses that attract this one.
    void setSurrounding(std::vector<Mass> surrounding) { surrounding_ = std::move(surrounding); }

private:
    float mass_ = 1, x_ = 0, y_ = 0;
    float forceX_ = 0, forceY_ = 0;
    std::vector<Mass> surrounding_;
};

/// A stretch of a field. Half of the numbers are needed by other ranks, the other half is not.
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
