#include <ferry/examples/scene/Triangle.hpp>

#include <doctest/doctest.h>

#include <ferry/ferry.hpp>

namespace {

using namespace scene;

const Triangle triangle{{Vector3{0, 0, 2}, Vector3{1, 0, 2}, Vector3{0, 1, 2}}, {Vector3{0, 0, -1}, Vector3{1, 0, 0}, Vector3{0, 0, -1}}};

Hit hitFrom(const Vector3& origin) {
    Hit hit;
    triangle.intersect({origin, {0, 0, 1}}, hit);
    return hit;
}

}    // namespace

TEST_CASE("Triangle: a ray hits inside, and misses beside and behind") {
    const Hit hit = hitFrom({0.25, 0.5, 0});
    CHECK(hit.triangle == &triangle);
    CHECK(hit.distance == doctest::Approx(2));
    CHECK(hit.u == doctest::Approx(0.25));
    CHECK(hit.v == doctest::Approx(0.5));
    CHECK(hitFrom({0.6, 0.6, 0}).triangle == nullptr);
    CHECK(hitFrom({-0.1, 0.5, 0}).triangle == nullptr);
    CHECK(hitFrom({0.25, 0.5, 3}).triangle == nullptr);
}

TEST_CASE("Triangle: what is nearer stays") {
    Hit hit;
    hit.distance = 1;
    triangle.intersect({{0.25, 0.5, 0}, {0, 0, 1}}, hit);
    CHECK(hit.triangle == nullptr);
    CHECK(hit.distance == 1);
}

TEST_CASE("Triangle: the normal turns from corner to corner") {
    CHECK(triangle.normalAt({1, &triangle, 0, 0}).z == doctest::Approx(-1));
    CHECK(triangle.normalAt({1, &triangle, 1, 0}).x == doctest::Approx(1));
    const Vector3 between = triangle.normalAt({1, &triangle, 0.5, 0});
    CHECK(between.x == doctest::Approx(-between.z));
    CHECK(lengthOf(between) == doctest::Approx(1));
}

TEST_CASE("Triangle: many of them travel as one piece of memory") { CHECK(ferry::detail::isImage<Triangle>); }
