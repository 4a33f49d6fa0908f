// EXPECT a pointer to pointers does not tell how many there are: use ferry::owned(pointers, count)
#include <set>
#include <vector>

#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Node {
    int value = 0;
    FERRY_FIELDS(value)
};

struct Tree {
    Node** children = nullptr;
    int count = 0;
    FERRY_FIELDS(count, ferry::owned(children))
};

void write(ferry::IntWriter& out, const Tree& tree) { tree.writeToInts(out); }
void read(ferry::IntReader& in, Tree& tree) { tree.readFromInts(in); }

}    // namespace fail
