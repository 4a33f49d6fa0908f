#include <ferry/examples/graph/Shapes.hpp>

#include <cstdint>
#include <numeric>

namespace graphs {

std::string_view nameOf(Shape shape) {
    constexpr std::array<std::string_view, allShapes.size()> names{"full", "random", "sparse", "ring", "tree"};
    return names[static_cast<std::size_t>(shape)];
}

const std::vector<int>& EdgeLists::next() {
    ++node_;
    edges_.clear();
    const int after = (node_ + 1) % nodeCount_;
    switch (shape_) {
        case Shape::Full:
            edges_.resize(static_cast<std::size_t>(nodeCount_));
            std::iota(edges_.begin(), edges_.end(), 0);
            break;
        case Shape::Random:
            edges_.push_back(after);
            addOthers(static_cast<int>(random_() % static_cast<std::uint64_t>(nodeCount_)));
            break;
        case Shape::Sparse:
            edges_.push_back(after);
            addOthers(3);
            break;
        case Shape::Ring:
            edges_.push_back(after);
            edges_.push_back((node_ + nodeCount_ - 1) % nodeCount_);
            break;
        case Shape::Tree:
            for (const int child : {2 * node_ + 1, 2 * node_ + 2}) {
                if (child < nodeCount_) edges_.push_back(child);
            }
            break;
    }
    return edges_;
}

void EdgeLists::addOthers(int count) {
    for (; count != 0; --count) edges_.push_back(static_cast<int>(random_() % static_cast<std::uint64_t>(nodeCount_)));
}

}    // namespace graphs
