#pragma once

#include <functional>

namespace ferry::test {

/// A point at which a test may throw. Messages, operators and test code between connector calls have such points.
/// Does nothing on a thread without ThrowPoints.
void throwPoint();

/// While the object lives, each throwPoint() of this thread calls the function. A thread may have one object at a time.
class ThrowPoints {
public:
    explicit ThrowPoints(std::function<void()> meet);
    ThrowPoints(const ThrowPoints&) = delete;
    ThrowPoints& operator=(const ThrowPoints&) = delete;
    ~ThrowPoints();
};

}    // namespace ferry::test
