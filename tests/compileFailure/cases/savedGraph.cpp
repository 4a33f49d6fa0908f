// EXPECT a graph is saved with ferry::saveGraph(path, root)
// EXPECT fail::Node*
// EXPECT save the structure with ferry::saveGraph(path, root)
#include <ferry/serialization/checkpoint/GraphFile.hpp>

namespace fail {

struct Node {
    int number = 0;
};

void saveRoot(Node* node) { ferry::save("state", ferry::graph(node)); }
void savePointer(Node* node) { ferry::save("state", node); }

}    // namespace fail
