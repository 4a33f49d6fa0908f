#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include <ferry/examples/verbs/Blocks.hpp>

namespace verbs {

using Vertex = long;

/// A block of the vertices of a directed graph, for one rank. The edges of these vertices may end on any rank.
/// The graph is the same for any number of ranks.
class BlockGraph {
public:
    /// Each vertex has three edges to pseudo-random vertices.
    BlockGraph(long vertexCount, int rank, int rankCount) : blocks_(vertexCount, rankCount), begin_(blocks_.begin(rank)) {
        std::uniform_int_distribution<Vertex> anyVertex(0, vertexCount - 1);
        for (Vertex vertex = begin_; vertex < blocks_.end(rank); ++vertex) {
            std::minstd_rand random(static_cast<unsigned>(vertex + 1));
            random.discard(5);
            neighbours_.push_back({anyVertex(random), anyVertex(random), anyVertex(random)});
        }
    }

    /// The first own vertex.
    Vertex begin() const { return begin_; }
    std::size_t ownCount() const { return neighbours_.size(); }
    int ownerOf(Vertex vertex) const { return blocks_.ownerOf(vertex); }
    /// The index of an own vertex within this block.
    std::size_t placeOf(Vertex own) const { return static_cast<std::size_t>(own - begin_); }
    const std::vector<Vertex>& neighboursOf(Vertex own) const { return neighbours_[placeOf(own)]; }

private:
    Blocks blocks_;
    Vertex begin_;
    std::vector<std::vector<Vertex>> neighbours_;
};

}    // namespace verbs
