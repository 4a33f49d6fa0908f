#pragma once

#include <vector>

namespace ferry::detail {

/// The place of a rank in the binomial tree over size ranks with this root. Letters reach every rank in log2(size) hops.
struct TreePlace {
    int parent = -1;              ///< -1 on the root
    std::vector<int> children;    ///< children with the largest subtrees first
};

TreePlace placeInTree(int rank, int size, int root);

}    // namespace ferry::detail
