// EXPECT this call takes no ferry::graph: use send, post, broadcastGraph, startBroadcastGraph, gatherGraphs
#include <ferry/connector/Connector.hpp>

namespace fail {

struct Node {
    int n = 0;
};
void call(ferry::Connector& c, Node* node) { c.startGather(ferry::graph(node)).get(); }

}    // namespace fail
