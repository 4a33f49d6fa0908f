#include <ferry/connector/collective/shape/Tree.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;

TEST_CASE("Tree: every rank but the root has one parent, is a child of that parent, and lies below the root") {
    for (int size = 1; size <= 33; ++size) {
        for (int root = 0; root < size; ++root) {
            int childCount = 0;
            for (int rank = 0; rank < size; ++rank) {
                const detail::TreePlace place = detail::placeInTree(rank, size, root);
                childCount += static_cast<int>(place.children.size());
                if (rank == root) {
                    CHECK(place.parent == -1);
                    continue;
                }
                const detail::TreePlace parent = detail::placeInTree(place.parent, size, root);
                CHECK(std::count(parent.children.begin(), parent.children.end(), rank) == 1);
                int hops = 0;
                for (int at = rank; at != root && hops <= size; ++hops) at = detail::placeInTree(at, size, root).parent;
                CHECK((1 << hops) < 2 * size);
            }
            CHECK(childCount == size - 1);
        }
    }
}
