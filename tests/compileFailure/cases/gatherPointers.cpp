// EXPECT [with T = fail::Node*]
// EXPECT holds raw pointers, which travel only inside a graph
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

struct Node {
    int n = 0;
};
void call(ferry::Connector& c, Node* node) { c.startGather(node).get(); }

}    // namespace fail
