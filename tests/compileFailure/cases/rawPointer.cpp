// EXPECT fail::Node*
// EXPECT holds raw pointers, which travel only inside a graph: send it with ferry::graph
#include <ferry/connector/Connector.hpp>

namespace fail {

struct Node {
    int number = 0;
};

void send(ferry::Connector& connector, Node* node) { connector.send(1, node); }

}    // namespace fail
