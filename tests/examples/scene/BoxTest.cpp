#include <ferry/examples/scene/Box.hpp>

#include <doctest/doctest.h>

namespace {

using namespace scene;

bool hits(const Box& box, const Vector3& origin, const Vector3& direction, double distance) {
    return box.isHitBy({origin, direction}, {1 / direction.x, 1 / direction.y, 1 / direction.z}, distance);
}

}    // namespace

TEST_CASE("Box: is hit from outside and from within, not beyond the distance and not behind") {
    Box box;
    box.include({-1, -1, -1});
    box.include({1, 1, 1});
    CHECK(hits(box, {-5, 0, 0}, {1, 0, 0}, 100));
    CHECK(hits(box, {0, 0, 0}, {1, 0, 0}, 100));
    CHECK_FALSE(hits(box, {-5, 0, 0}, {1, 0, 0}, 3));
    CHECK_FALSE(hits(box, {-5, 0, 0}, {-1, 0, 0}, 100));
    CHECK_FALSE(hits(box, {-5, 2, 0}, {1, 0, 0}, 100));
}
