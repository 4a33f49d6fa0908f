#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace graphs {

/// Returns all nodes that can be reached from the root, each node once. Works without recursion.
template <class Pointer>
std::vector<Pointer> nodesFrom(const Pointer& root) {
    std::vector<Pointer> nodes{root};
    std::unordered_set<const void*> known{std::to_address(root)};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Pointer node = nodes[i];
        for (const Pointer& end : node->edges) {
            if (known.insert(std::to_address(end)).second) nodes.push_back(end);
        }
    }
    return nodes;
}

/// Whether two graphs are equal: the same values, joined in the same way, with the same number of distinct nodes.
/// The two graphs share no node.
template <class NodeA, class NodeB>
bool areSame(const NodeA* rootA, const NodeB* rootB) {
    std::unordered_map<const void*, const void*> partner{{rootA, rootB}};
    std::unordered_set<const void*> taken{rootA, rootB};
    if (taken.size() != 2) return false;
    std::vector<std::pair<const NodeA*, const NodeB*>> pending{{rootA, rootB}};
    while (!pending.empty()) {
        const auto [a, b] = pending.back();
        pending.pop_back();
        if (a->value != b->value || a->edges.size() != b->edges.size()) return false;
        for (std::size_t i = 0; i < a->edges.size(); ++i) {
            const NodeA* endA = std::to_address(a->edges[i]);
            const NodeB* endB = std::to_address(b->edges[i]);
            const auto [entry, isNew] = partner.emplace(endA, endB);
            if (entry->second != endB) return false;
            if (!isNew) continue;
            if (!taken.insert(endA).second || !taken.insert(endB).second) return false;
            pending.emplace_back(endA, endB);
        }
    }
    return true;
}

}    // namespace graphs
