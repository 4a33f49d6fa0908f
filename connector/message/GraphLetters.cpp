#include <ferry/connector/message/GraphLetters.hpp>

#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/letter/GraphPiece.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry::detail {

namespace {

/// With this number of pieces under way, packing, transport and unpacking overlap.
constexpr std::size_t MaxPiecesUnderWay = 4;

Awaited takenIn(std::vector<int> ranks) {
    std::string what = fmt::format("rank {} to take in pieces of a graph", fmt::join(ranks, ", "));
    return {std::move(ranks), std::move(what)};
}

/// Whether the rank has taken in all but a few letters of this rank, as far as the transport can tell. Also true when the rank has left.
bool hasTaken(Mailbox& mailbox, int to) noexcept {
    return mailbox.transport().undelivered(to) <= MaxPiecesUnderWay || mailbox.departures().hasLeft(to);
}

}    // namespace

void throwGivenUp(const Letter& letter, const ObjectFactory& factory) {
    IntReader in(letter.body(), factory);
    std::rethrow_exception(ExceptionMessage::read(in));
}

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
    return std::all_of(to_.begin(), to_.end(), [this](int to) { return hasRoomAt(to); });
}

bool GraphSender::hasRoomAt(int to) const noexcept { return to == mailbox_.transport().rank() || hasTaken(mailbox_, to); }

void GraphSender::waitForRoom() {
    if (hasRoom() || mailbox_.nest().isUnwinding()) return;
    mailbox_.waitUntil([this] { return hasRoom(); }, [this] { return awaited(); });
}

Awaited GraphSender::awaited() const {
    std::vector<int> slow;
    std::copy_if(to_.begin(), to_.end(), std::back_inserter(slow), [this](int to) { return !hasRoomAt(to); });
    return takenIn(std::move(slow));
}

void GraphSender::giveUp(const std::exception_ptr& reason) {
    if (pieceCount_ == 0 && envelope_.kind == MessageKind::Graph) return;    // no receiver knows of the graph; in a collective all wait
    for (const int to : to_) {
        const auto write = [&reason](IntWriter& out) {
            out.writeInt(0);
            ExceptionMessage(reason).writeToInts(out);
        };
        insist([&] { mailbox_.postNow(to, mailbox_.pack(envelope_, write)); });    // the receivers wait for the next piece
    }
}

void GraphReceiver::passOn(const Letter& letter) {
    for (const int to : passOnTo_) {
        mailbox_.postInts(to, Channel::Data, letter.wholeInts());
        mailbox_.waitUntil([this, to] { return hasTaken(mailbox_, to); }, [to] { return takenIn({to}); });
    }
}

GraphReceiver::Piece GraphReceiver::next() {
    for (;;) {
        Letter letter = nextLetter();
        if (letter.envelope.kind == MessageKind::GivenUp) throwGivenUp(letter, mailbox_.factory());
        passOn(letter);
        if (pieceCount_ == 0 && !graphPlaceOf(letter).isFirst() && letter.envelope.kind == MessageKind::Graph) {
            mailbox_.giveBack(std::move(letter));    // left over from a graph that could not be read
            continue;
        }
        IntReader in(letter.body(), mailbox_.factory());
        const std::int32_t place = in.readInt();
        if (place == 0) std::rethrow_exception(ExceptionMessage::read(in));
        ++pieceCount_;
        if (place != pieceCount_ && place != -pieceCount_) {
            throw SerializationError(fmt::format("expected piece {} of a graph, found piece {}", pieceCount_, place));
        }
        filter_ = filter_.narrowedTo(letter);
        const std::span<const std::int32_t> ints = letter.body().subspan(1);
        return {std::move(letter), ints, place < 0};
    }
}

}    // namespace ferry::detail
