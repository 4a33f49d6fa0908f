// EXPECT for an array of objects (Node*) use ferry::ownedArray(first, count)
#include <set>
#include <vector>

#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Node {
    int value = 0;
    FERRY_FIELDS(value)
};

struct Tree {
    Node* children = nullptr;
    int count = 0;
    FERRY_FIELDS(ferry::owned(children, count))
};

void write(ferry::IntWriter& out, const Tree& tree) { tree.writeToInts(out); }
void read(ferry::IntReader& in, Tree& tree) { tree.readFromInts(in); }

}    // namespace fail
