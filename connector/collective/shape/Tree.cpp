#include <ferry/connector/collective/shape/Tree.hpp>

#include <algorithm>

namespace ferry::detail {

TreePlace placeInTree(int rank, int size, int root) {
    // Ranks are counted from the root. The parent of rank r is r without its lowest set bit. The children of r are r + p for each power of
    // two p below that bit.
    const int relative = (rank - root + size) % size;
    TreePlace place;
    int bit = 1;
    for (; bit < size && (relative & bit) == 0; bit <<= 1) {
        if (relative + bit < size) place.children.push_back((relative + bit + root) % size);
    }
    if (relative != 0) place.parent = ((relative & ~bit) + root) % size;
    std::reverse(place.children.begin(), place.children.end());
    return place;
}

}    // namespace ferry::detail
