#include <ferry/examples/scene/Renderer.hpp>

#include <stdexcept>

#include <doctest/doctest.h>

#include <ferry/examples/scene/GeneratedScene.hpp>

TEST_CASE("Renderer: tiles show what the whole picture shows there") {
    scene::GeneratedScene generated(600);
    const scene::Renderer renderer(generated.scene(), 30, 20);
    const auto whole = renderer.render({0, 0, 30, 20});
    REQUIRE(whole.size() == 3 * 30 * 20);
    const auto tile = renderer.render({7, 5, 2, 1});
    const auto start = whole.begin() + 3 * (5 * 30 + 7);
    CHECK(std::vector<std::uint8_t>(start, start + 6) == tile);
}

TEST_CASE("Renderer: a scene without anything is sky; a camera that is not there is refused") {
    scene::Scene empty;
    empty.cameras.push_back({{0, 0, -1}, {0, 0, 1}, 1});
    const auto pixel = scene::Renderer(empty, 1, 1).render({0, 0, 1, 1});
    CHECK(pixel[2] > pixel[0]);
    CHECK_THROWS_AS(scene::Renderer(empty, 1, 1, 1), std::out_of_range);
}
