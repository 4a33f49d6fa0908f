#pragma once

#include <memory>
#include <vector>

#include <ferry/ferry.hpp>

namespace bench {

/// A node in the form that a user writes.
struct PlainNode {
    FERRY_FIELDS(value, edges)
    int value = 0;
    std::vector<PlainNode*> edges;
};

/// A node with a mark. The mark lets Ferry recognise the node without looking up its address.
struct MarkedNode {
    FERRY_FIELDS(value, edges)
    int value = 0;
    std::vector<MarkedNode*> edges;
    ferry::GraphMark mark;
};

/// A node for libraries that need smart pointers.
struct SharedNode {
    int value = 0;
    std::vector<std::shared_ptr<SharedNode>> edges;
};

}    // namespace bench

template <>
struct ferry::IdentityMapFor<bench::MarkedNode> {
    using type = ferry::MarkMap<&bench::MarkedNode::mark>;
};
