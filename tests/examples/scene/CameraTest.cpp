#include <ferry/examples/scene/Camera.hpp>

#include <doctest/doctest.h>

TEST_CASE("Camera: looks at its target, right and up are where they are on the picture") {
    const scene::Camera camera{{0, 0, -3}, {0, 0, 5}, 2};
    const scene::Ray middle = camera.rayThrough(0, 0);
    CHECK(middle.direction.z == doctest::Approx(1));
    CHECK(middle.origin.z == -3);
    const scene::Ray corner = camera.rayThrough(0.5, 0.25);
    CHECK(lengthOf(corner.direction) == doctest::Approx(1));
    CHECK(corner.direction.y / corner.direction.z == doctest::Approx(0.5));
    CHECK(corner.direction.x / corner.direction.z == doctest::Approx(-1));    // the x axis points to the left for a viewer along z
}
