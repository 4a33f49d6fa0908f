// EXPECT [with T = fail::Node]
// EXPECT the owner of a posted graph is a temporary
#include <memory>

#include <ferry/connector/Connector.hpp>

namespace fail {

struct Node {
    int number = 0;
};

void post(ferry::Connector& connector) { connector.post(1, ferry::graph(std::make_unique<Node>())); }

}    // namespace fail
