#include <ferry/serialization/graph/GraphReader.hpp>

#include <algorithm>

namespace ferry::detail {

ReadLimits GraphPieces::limits() const noexcept {
    if (around_ == nullptr) return ReadLimits::getDefault();
    ReadLimits limits = around_->limits();
    limits.depth -= std::min(limits.depth, around_->depth());
    return limits;
}

/// A graph that is a value goes on with the account of the message. Other graphs are one message in pieces: their memory needs the ints of
/// all pieces so far. Only GraphWriter's own limits hold for each piece: elements that take no int, and totals that no process reaches.
void GraphPieces::beginPiece(IntReader& in, std::uint64_t intsBehind) {
    in.setReferences(&references_);
    references_.beginPiece(in, intsBehind);
    if (around_ != nullptr) {
        in.setAccount(around_->account());
    } else if (earlierInts_ != 0) {
        ReadAccount account = in.account();
        account.messageInts += earlierInts_;
        account.roomyBytes = earlierRoomyBytes_;
        in.setAccount(account);
    }
}

void GraphPieces::endPiece(const IntReader& in) noexcept {
    if (around_ != nullptr) {
        around_->setAccount(in.account());
    } else {
        earlierInts_ = in.account().messageInts;
        earlierRoomyBytes_ = in.account().roomyBytes;
    }
}

void GraphPieces::readObjects(IntReader& in, bool isLast) {
    if (isComplete_) in.fail("the end of the graph", "another piece");
    // Objects that take no ints are read with the next piece at the latest.
    while (references_.hasUnread() && (isLast || in.remaining() != 0)) references_.readNext(in);
    in.expectEnd();
    isComplete_ = isLast;
}

}    // namespace ferry::detail
