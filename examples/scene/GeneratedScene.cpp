#include <ferry/examples/scene/GeneratedScene.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include <ferry/examples/scene/Mesh.hpp>
#include <ferry/examples/scene/TreeBuilder.hpp>

namespace scene {

namespace {

constexpr int bodiesPerRow = 4;
constexpr int bodyCount = bodiesPerRow * bodiesPerRow;
constexpr double bodyDistance = 2.6;
constexpr double floorHalf = 8;

/// Returns a random number in [0, 1), the same on every machine.
double fraction(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1.0p-53; }

}    // namespace

GeneratedScene::GeneratedScene(int triangles, std::uint64_t seed) {
    addMaterials();
    addFloor();
    addBodies(triangles, seed);
    scene_.tree = TreeBuilder(scene_.triangles, nodes_).build();
    scene_.lights = {{{-6, 9, -5}, {0.9, 0.85, 0.75}}, {{7, 6, -8}, {0.25, 0.3, 0.4}}};
    scene_.cameras = {{{-3, 5.5, -9.5}, {0, 0.4, 0}, 1.1}, {{8, 3, -7}, {0, 0.6, 0}, 1.2}};
}

template <class Kind, class... Arguments>
Material* GeneratedScene::addMaterial(Arguments... arguments) {
    materials_.push_back(std::make_unique<Kind>(arguments...));
    scene_.materials.push_back(materials_.back().get());
    return materials_.back().get();
}

void GeneratedScene::addMaterials() {
    Material* light = addMaterial<Matte>(Vector3{0.85, 0.85, 0.8});
    Material* dark = addMaterial<Matte>(Vector3{0.2, 0.22, 0.25});
    Material* red = addMaterial<Matte>(Vector3{0.8, 0.25, 0.2});
    Material* blue = addMaterial<Matte>(Vector3{0.2, 0.35, 0.75});
    addMaterial<Polished>(red, 0.25);
    addMaterial<Polished>(dark, 0.7);
    addMaterial<Chequered>(red, light, 0.4);
    addMaterial<Chequered>(blue, light, 0.3);
    addMaterial<Chequered>(light, dark, 1.0);    // the last material is for the floor
}

void GeneratedScene::addFloor() {
    const auto material = static_cast<std::int32_t>(scene_.materials.size() - 1);
    const Vector3 up{0, 1, 0};
    const Vector3 a{-floorHalf, 0, -floorHalf};
    const Vector3 b{floorHalf, 0, -floorHalf};
    const Vector3 c{-floorHalf, 0, floorHalf};
    const Vector3 d{floorHalf, 0, floorHalf};
    scene_.triangles.push_back({{a, b, c}, {up, up, up}, material, 0});
    scene_.triangles.push_back({{b, d, c}, {up, up, up}, material, 0});
}

void GeneratedScene::addBodies(int triangles, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const int steps = std::max(3, static_cast<int>(std::lround(std::sqrt(triangles / (2.0 * bodyCount)))));
    const std::size_t kinds = scene_.materials.size() - 1;
    for (int i = 0; i < bodyCount; ++i) {
        RoundBody body;
        body.centre = {(i % bodiesPerRow - 1.5) * bodyDistance, 0.7, (i / bodiesPerRow - 1.5) * bodyDistance};
        body.tubeRadius = 0.35 + 0.3 * fraction(random);
        if (fraction(random) < 0.5) {
            body.ringRadius = 0.6;
            body.tubeRadius *= 0.5;
        }
        body.tilt = 1.5 * fraction(random);
        body.material = static_cast<std::int32_t>(random() % kinds);
        body.mesh = i + 1;
        appendMesh(body, steps, scene_.triangles);
    }
}

}    // namespace scene
