#pragma once

#include <cmath>
#include <utility>
#include <vector>

// This class stands for a class of another library: the class knows nothing of Ferry, and its members are private.

namespace sky {

/// A point mass in the plane, and the forces on it.
class Mass {
public:
    Mass() = default;
    Mass(double mass, double x, double y) : mass_(mass), x_(x), y_(y) {}

    double x() const { return x_; }
    double y() const { return y_; }

    /// Stores the masses that pull at this one.
    void setSurrounding(std::vector<Mass> surrounding) { surrounding_ = std::move(surrounding); }

    void computeForce() {
        forceX_ = forceY_ = 0;
        for (const Mass& other : surrounding_) {
            const double dx = other.x_ - x_, dy = other.y_ - y_;
            const double square = dx * dx + dy * dy + 1e-3;
            const double pull = mass_ * other.mass_ / (square * std::sqrt(square));
            forceX_ += pull * dx;
            forceY_ += pull * dy;
        }
    }
    void move(double seconds) {
        speedX_ += seconds * forceX_ / mass_;
        speedY_ += seconds * forceY_ / mass_;
        x_ += seconds * speedX_;
        y_ += seconds * speedY_;
    }

private:
    double mass_ = 1, x_ = 0, y_ = 0;
    double speedX_ = 0, speedY_ = 0;
    double forceX_ = 0, forceY_ = 0;
    std::vector<Mass> surrounding_;
};

}    // namespace sky
