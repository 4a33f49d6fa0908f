// EXPECT a graph is saved with ferry::saveGraph(path, root)
#include <ferry/serialization/checkpoint/GraphFile.hpp>

namespace fail {

struct Node {
    int number = 0;
};

void save(Node* node) { ferry::save("state", ferry::graph(node)); }

}    // namespace fail
