#include <ferry/connector/collective/Tree.hpp>

#include <algorithm>

namespace ferry {

TreePlace placeInTree(int rank, int size, int root) {
    // Counted from the root, rank r hangs under r without its lowest set bit, and has a child for each power of two below that bit.
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

}    // namespace ferry
