#include <ferry/examples/scene/TreeBuilder.hpp>

#include <algorithm>
#include <cstddef>

namespace scene {

namespace {

Box boxAround(std::span<const Triangle> triangles) {
    Box box;
    for (const Triangle& triangle : triangles) {
        for (const Vector3& corner : triangle.corners) box.include(corner);
    }
    return box;
}

/// Returns the coordinate along the longest side of the box.
double Vector3::*longestSide(const Box& box) {
    const Vector3 size = box.high - box.low;
    if (size.x >= size.y && size.x >= size.z) return &Vector3::x;
    return size.y >= size.z ? &Vector3::y : &Vector3::z;
}

}    // namespace

TreeNode* TreeBuilder::build() { return triangles_.empty() ? nullptr : buildOver(triangles_); }

TreeNode* TreeBuilder::buildOver(std::span<Triangle> part) {
    TreeNode& node = nodes_.emplace_back();
    node.box = boxAround(part);
    if (part.size() == 1) {
        node.firstTriangle = static_cast<std::int32_t>(part.data() - triangles_.data());
        node.triangleCount = 1;
        return &node;
    }
    const auto side = longestSide(node.box);
    const std::size_t half = part.size() / 2;
    std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(half), part.end(),
                     [side](const Triangle& a, const Triangle& b) { return a.centre().*side < b.centre().*side; });
    node.left = buildOver(part.first(half));
    node.right = buildOver(part.subspan(half));
    return &node;
}

}    // namespace scene
