// EXPECT ferry::owned takes an array, std::array, std::vector, std::deque or std::list of raw pointers
#include <set>
#include <vector>

#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Node {
    int value = 0;
    FERRY_FIELDS(value)
};

struct Tree {
    std::set<Node*> children;
    FERRY_FIELDS(ferry::owned(children))
};

void write(ferry::IntWriter& out, const Tree& tree) { tree.writeToInts(out); }
void read(ferry::IntReader& in, Tree& tree) { tree.readFromInts(in); }

}    // namespace fail
