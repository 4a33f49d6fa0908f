#pragma once

#include <functional>

namespace ferry::test {

/// A place at which a test may let something be thrown: called by what the tests send, by operators, and between calls of the connector.
/// Does nothing on a thread without ThrowPoints.
void throwPoint();

/// As long as it lives, each throwPoint() of this thread calls the function. One at a time on a thread.
class ThrowPoints {
public:
    explicit ThrowPoints(std::function<void()> meet);
    ThrowPoints(const ThrowPoints&) = delete;
    ThrowPoints& operator=(const ThrowPoints&) = delete;
    ~ThrowPoints();
};

}    // namespace ferry::test
