// EXPECT an array or container of pointers knows their number: use ferry::owned(pointers)
#include <set>
#include <vector>

#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Node {
    int value = 0;
    FERRY_FIELDS(value)
};

struct Tree {
    std::vector<Node*> children;
    int count = 0;
    FERRY_FIELDS(ferry::owned(children, count))
};

void write(ferry::IntWriter& out, const Tree& tree) { tree.writeToInts(out); }
void read(ferry::IntReader& in, Tree& tree) { tree.readFromInts(in); }

}    // namespace fail
