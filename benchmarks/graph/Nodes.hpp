#pragma once

#include <memory>
#include <vector>

#include <ferry/ferry.hpp>

namespace bench {

/// A node as a user writes it.
struct PlainNode {
    FERRY_FIELDS(value, edges)
    int value = 0;
    std::vector<PlainNode*> edges;
};

/// The same with a mark, by which Ferry knows the node without looking up its address.
struct MarkedNode {
    FERRY_FIELDS(value, edges)
    int value = 0;
    std::vector<MarkedNode*> edges;
    ferry::GraphMark mark;
};

/// The same for libraries that need smart pointers.
struct SharedNode {
    int value = 0;
    std::vector<std::shared_ptr<SharedNode>> edges;
};

}    // namespace bench

template <>
struct ferry::IdentityMapFor<bench::MarkedNode> {
    using type = ferry::MarkMap<&bench::MarkedNode::mark>;
};
