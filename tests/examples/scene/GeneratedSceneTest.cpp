#include <ferry/examples/scene/GeneratedScene.hpp>

#include <cmath>

#include <doctest/doctest.h>

#include <ferry/examples/scene/Renderer.hpp>

namespace {

using namespace scene;

/// Finds the nearest hit by testing all triangles.
Hit hitWithoutTree(const Scene& scene, const Ray& ray) {
    Hit nearest;
    for (const Triangle& triangle : scene.triangles) triangle.intersect(ray, nearest);
    return nearest;
}

}    // namespace

TEST_CASE("GeneratedScene: has about as many triangles as asked for, and twice as many nodes") {
    for (const int wanted : {1000, 8000}) {
        GeneratedScene generated(wanted);
        const auto count = static_cast<double>(generated.scene().triangles.size());
        CHECK(std::abs(count - wanted) < 0.2 * wanted);
        CHECK(generated.nodeCount() == 2 * generated.scene().triangles.size() - 1);
        for (const Triangle& triangle : generated.scene().triangles)
            CHECK(static_cast<std::size_t>(triangle.material) < generated.scene().materials.size());
    }
}

TEST_CASE("Scene: the tree finds what trying all triangles finds") {
    GeneratedScene generated(600);
    const Scene& scene = generated.scene();
    const Camera& camera = scene.cameras.front();
    int hitCount = 0;
    for (int i = 0; i < 400; ++i) {
        const Ray ray = camera.rayThrough((i % 20) / 20.0 - 0.5, (i / 20) / 20.0 - 0.5);
        const Hit hit = scene.nearestHit(ray);
        const Hit expected = hitWithoutTree(scene, ray);
        CHECK(hit.distance == expected.distance);
        hitCount += hit.triangle != nullptr;
        CHECK(scene.isBlocked(ray, 6) == (expected.distance < 6));
    }
    CHECK(hitCount > 100);
}

TEST_CASE("Scene: a copy is rendered to the same picture as the original") {
    GeneratedScene generated(600);
    const Area area{0, 0, 40, 30};
    const auto expected = Renderer(generated.scene(), 40, 30).render(area);
    const ferry::Graph<Scene> copy = ferry::copyGraph(&generated.scene());
    CHECK(copy.root()->tree != generated.scene().tree);
    CHECK(Renderer(*copy.root(), 40, 30).render(area) == expected);
}
