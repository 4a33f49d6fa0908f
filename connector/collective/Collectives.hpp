#pragma once

#include <cstdint>
#include <vector>

#include <ferry/connector/collective/Tree.hpp>
#include <ferry/connector/message/GraphLetters.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>

namespace ferry {

/// The collectives on buffers of ints. All ranks call the same ones in the same order; a number counts them, so that steps of different
/// collectives never meet. They wait in the mailbox: a failure of another rank wakes them.
class Collectives {
public:
    /// The mailbox must outlive the object.
    explicit Collectives(Mailbox& mailbox) : mailbox_(mailbox) {}

    /// Returns when every rank has entered (dissemination barrier: log2(size) rounds).
    void barrier();

    /// The root's letter on every rank: on the root, the letter that was passed in; the body begins after the envelope.
    template <class Write>
    Letter broadcast(int root, Write&& write) {
        const Envelope envelope = enter(Operation::Broadcast);
        if (mailbox_.transport().rank() == root) return broadcastFromRoot(envelope, root, mailbox_.pack(envelope, write));
        return receiveBroadcast(envelope, root);
    }

    /// The root's graph on every rank, in pieces that are passed on while they are read; on the root it refers to the caller's objects.
    /// When the root cannot write it, every rank throws what was thrown there.
    template <class T>
    Graph<T> broadcastGraph(const GraphRoot<T>& graph, int root, GraphMemory memory) {
        const Envelope envelope = enter(Operation::GraphBroadcast);
        const Transport& transport = mailbox_.transport();
        const TreePlace place = placeInTree(transport.rank(), transport.size(), root);
        if (place.parent != -1) {
            return receiveGraph<T>(GraphReceiver(mailbox_, filterFor(envelope, place.parent), place.children), memory);
        }
        sendGraph(GraphSender(mailbox_, place.children, envelope), graph);
        return Graph<T>(const_cast<T*>(graph.root), nullptr);
    }

    /// On the root the letters of all ranks, in the order of ranks; elsewhere none.
    template <class Write>
    std::vector<Letter> gather(int root, Write&& write) {
        const Envelope envelope = enter(Operation::Gather);
        IntBuffer own = mailbox_.pack(envelope, write);
        if (mailbox_.transport().rank() == root) return gatherOnRoot(envelope, std::move(own));
        mailbox_.postInts(root, Channel::Data, std::move(own));
        return {};
    }

private:
    /// Numbers travel and are frozen: docs/wire-format.md.
    enum class Operation : std::int32_t { Barrier = 1, Broadcast = 2, Gather = 3, GraphBroadcast = 4 };

    Envelope enter(Operation operation);
    Letter broadcastFromRoot(const Envelope& envelope, int root, IntBuffer ints);
    Letter receiveBroadcast(const Envelope& envelope, int root);
    std::vector<Letter> gatherOnRoot(const Envelope& envelope, IntBuffer own);
    static Filter filterFor(const Envelope& envelope, int from) noexcept;
    Letter takeStep(const Envelope& envelope, int from);

    Mailbox& mailbox_;
    std::uint32_t enteredCount_ = 0;
};

}    // namespace ferry
