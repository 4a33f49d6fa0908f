#include <ferry/serialization/graph/GraphReader.hpp>

#include <algorithm>

namespace ferry::detail {

ReadLimits GraphPieces::limits() const noexcept {
    if (around_ == nullptr) return ReadLimits::getDefault();
    ReadLimits limits = around_->limits();
    limits.depth -= std::min(limits.depth, around_->depth());
    return limits;
}

void GraphPieces::readObjects(IntReader& in, bool isLast) {
    if (isComplete_) in.fail("the end of the graph", "another piece");
    // Objects that take no ints are read with the next piece at the latest.
    while (references_.hasUnread() && (isLast || in.remaining() != 0)) references_.readNext(in);
    in.expectEnd();
    isComplete_ = isLast;
}

}    // namespace ferry::detail
