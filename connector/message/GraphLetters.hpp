#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/letter/Expectation.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>

namespace ferry::detail {

/// Sends a graph in letters, one piece in each. A letter holds the number of its piece and then the ints of the piece. Pieces are numbered
/// from 1; the number of the last piece is negative. Number 0 says that the sender has given up; the exception follows.
///
/// Ownership: borrows the mailbox. Errors: all exceptions that are due at the mailbox.
class GraphSender final : public ChunkSink {
public:
    GraphSender(Mailbox& mailbox, std::vector<int> to, const Envelope& envelope)
        : mailbox_(mailbox),
          to_(std::move(to)),
          envelope_(envelope) {}

    IntBuffer begin() override;
    void put(IntBuffer chunk, bool isLast) override;

    /// Whether the receivers have taken in all but a few pieces, so that the next piece may be sent.
    bool hasRoom() const noexcept;
    /// Waits until hasRoom(). Does not wait while an exception leaves a guarded region.
    void waitForRoom();
    /// The receivers for which there is no room, as the text of a wait.
    Awaited awaited() const;

    /// Tells the receivers that no more pieces come, and the reason.
    void giveUp(const std::exception_ptr& reason);

private:
    bool hasRoomAt(int to) const noexcept;

    Mailbox& mailbox_;
    std::vector<int> to_;
    Envelope envelope_;
    std::int32_t pieceCount_ = 0;
};

/// Throws the exception because of which the sender of the letter has given up a collective.
[[noreturn]] void throwGivenUp(const Letter& letter, const ObjectFactory& factory);

/// Receives the letters of one graph, and forwards each letter to further ranks.
///
/// Ownership: borrows the mailbox. Errors: all exceptions that are due at the mailbox; the exception because of which the sender has given
/// up; SerializationError for pieces that do not follow each other.
class GraphReceiver {
public:
    /// filter: for the first letter. The other letters come from the same rank with the same number. passOnTo: the ranks that each letter
    /// is forwarded to.
    GraphReceiver(Mailbox& mailbox, const Filter& filter, std::vector<int> passOnTo = {})
        : mailbox_(mailbox),
          filter_(filter),
          passOnTo_(std::move(passOnTo)) {}
    /// A receiver of the letters that an expectation keeps. Ownership: borrows the expectation.
    GraphReceiver(Mailbox& mailbox, Expectation& expectation)
        : mailbox_(mailbox),
          filter_(expectation.filter()),
          expectation_(&expectation) {}

    struct Piece {
        Letter letter;
        std::span<const std::int32_t> ints;
        bool isLast = false;
    };

    /// Waits for the next piece.
    Piece next();
    void giveBack(Piece piece) { mailbox_.giveBack(std::move(piece.letter)); }

    const ObjectFactory& factory() const noexcept { return mailbox_.factory(); }

private:
    Letter nextLetter() { return expectation_ != nullptr ? mailbox_.take(*expectation_) : mailbox_.take(filter_); }
    void passOn(const Letter& letter);

    Mailbox& mailbox_;
    Filter filter_;
    Expectation* expectation_ = nullptr;
    std::vector<int> passOnTo_;
    std::int32_t pieceCount_ = 0;
};

template <class T>
void sendGraph(GraphSender sender, const GraphRoot<T>& graph) {
    try {
        GraphWriter writer(sender);
        writer.begin(graph);
        while (!writer.isComplete()) {
            sender.waitForRoom();
            writer.writePiece();
        }
    } catch (...) {
        sender.giveUp(std::current_exception());
        throw;
    }
}

template <class T>
Graph<T> receiveGraph(GraphReceiver receiver, GraphMemory memory) {
    GraphReader<T> reader(memory, receiver.factory());
    while (!reader.isComplete()) {
        GraphReceiver::Piece piece = receiver.next();
        reader.read(piece.ints, piece.isLast);
        receiver.giveBack(std::move(piece));
    }
    return reader.take();
}

}    // namespace ferry::detail
