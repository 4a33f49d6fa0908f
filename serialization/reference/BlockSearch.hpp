#pragma once

#include <ferry/serialization/ints/SoleOwner.hpp>

namespace ferry::detail {

class BlockFinder;
class ReferenceWriter;
struct PointeeType;

struct DeleteBlockFinder {
    void operator()(BlockFinder* finder) const noexcept;
};

/// The search for all vectors and arrays of a graph that is being written. The graph is walked once, and only when it is asked about.
class BlockSearch {
public:
    void setRoot(const void* root, const PointeeType& type) noexcept {
        root_ = root;
        type_ = &type;
    }
    /// The writer that knows all blocks of the graph. The first call walks through the graph, and calls the functions that write the
    /// objects. Errors: those of these functions. viewed: see ReferenceWriter::setViewed.
    ReferenceWriter& blocks(const PointeeType* viewed);

private:
    const void* root_ = nullptr;
    const PointeeType* type_ = nullptr;
    SoleOwner<BlockFinder, DeleteBlockFinder> finder_;
};

}    // namespace ferry::detail
