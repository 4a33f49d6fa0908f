// EXPECT fail::Node
// EXPECT holds raw pointers, which travel only inside a graph: send it with ferry::graph
#include <ferry/connector/Connector.hpp>

namespace fail {

class Node : public ferry::Message {
public:
    FERRY_CLASS(fail::Node)
    FERRY_FIELDS(number, others)
    int number = 0;
    std::vector<Node*> others;
};

void send(ferry::Connector& connector) { connector.send(1, Node()); }

}    // namespace fail
