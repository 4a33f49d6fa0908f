// EXPECT holds raw pointers, which travel only inside a graph
#include <ferry/framework/master/Master.hpp>

namespace fail {

struct Node {
    int n = 0;
    Node* next = nullptr;
    FERRY_FIELDS(n, next)
};
void call(ferry::Master& master, const Node& node) { master.share(node); }

}    // namespace fail
