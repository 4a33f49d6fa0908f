// EXPECT [with T = fail::Node]
// EXPECT save the structure with ferry::saveGraph(path, root)
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/checkpoint/CheckpointFile.hpp>

namespace fail {

struct Node {
    FERRY_FIELDS(next)
    Node* next = nullptr;
};

void save(const Node& node) { ferry::save("state", node); }

}    // namespace fail
