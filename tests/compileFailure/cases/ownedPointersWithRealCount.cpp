// EXPECT the number of pointers in ferry::owned(pointers, count) is a member of an integer type
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
    double count = 0;
    FERRY_FIELDS(ferry::owned(children, count))
};

void write(ferry::IntWriter& out, const Tree& tree) { tree.writeToInts(out); }
void read(ferry::IntReader& in, Tree& tree) { tree.readFromInts(in); }

}    // namespace fail
