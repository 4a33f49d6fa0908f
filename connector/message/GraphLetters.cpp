#include <ferry/connector/message/GraphLetters.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/connector/message/GraphPiece.hpp>
#include <ferry/serialization/IntReader.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry {

namespace {

/// Enough for packing, transport and unpacking to overlap.
constexpr std::size_t MaxPiecesUnderWay = 4;

}    // namespace

IntBuffer GraphSender::begin() {
    return mailbox_.pack(envelope_, [](IntWriter& out) { out.writeInt(0); });
}

void GraphSender::put(IntBuffer chunk, bool isLast) {
    ++pieceCount_;
    chunk.data()[Envelope::sizeInts] = isLast ? -pieceCount_ : pieceCount_;
    for (std::size_t i = 0; i < to_.size(); ++i) {
        mailbox_.postInts(to_[i], Channel::Data, i + 1 == to_.size() ? std::move(chunk) : chunk);
    }
}

bool GraphSender::hasRoom() const noexcept {
    return std::all_of(to_.begin(), to_.end(),
                       [this](int to) { return to == mailbox_.transport().rank() || mailbox_.hasTaken(to, MaxPiecesUnderWay); });
}

void GraphSender::giveUp(const std::exception_ptr& reason) {
    if (pieceCount_ == 0 && envelope_.kind == MessageKind::Graph) return;    // nobody has heard of it; in a collective all wait
    for (const int to : to_) {
        mailbox_.post(to, Channel::Data, envelope_, [&reason](IntWriter& out) {
            out.writeInt(0);
            ExceptionMessage(reason).writeToInts(out);
        });
    }
}

void GraphReceiver::passOn(const Letter& letter) {
    for (const int to : passOnTo_) {
        mailbox_.postInts(to, Channel::Data, letter.ints);
        mailbox_.waitUntil([this, to] { return mailbox_.hasTaken(to, MaxPiecesUnderWay); });
    }
}

GraphReceiver::Piece GraphReceiver::next() {
    for (;;) {
        Letter letter = nextLetter();
        passOn(letter);
        if (pieceCount_ == 0 && !graphPlaceOf(letter).isFirst() && letter.envelope.kind == MessageKind::Graph) {
            mailbox_.giveBack(std::move(letter));    // left over from a graph that could not be read
            continue;
        }
        IntReader in(letter.body(), mailbox_.factory());
        const std::int32_t place = in.readInt();
        if (place == 0) {
            ExceptionMessage message;
            message.readFromInts(in);
            in.expectEnd();
            std::rethrow_exception(message.rebuild(mailbox_.factory()));
        }
        ++pieceCount_;
        if (place != pieceCount_ && place != -pieceCount_) {
            throw SerializationError(fmt::format("expected piece {} of a graph, found piece {}", pieceCount_, place));
        }
        filter_ = restOfGraph(letter);
        const std::span<const std::int32_t> ints = letter.body().subspan(1);
        return {std::move(letter), ints, place < 0};
    }
}

}    // namespace ferry
