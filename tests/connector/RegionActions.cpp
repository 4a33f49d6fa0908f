#include <ferry/tests/connector/RegionActions.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/tests/connector/Parcel.hpp>
#include <ferry/tests/connector/StartedActions.hpp>

namespace ferry::test {

/// One node of a circle.
struct Bead {
    Parcel parcel;
    Bead* next = nullptr;
    FERRY_FIELDS(parcel, next)
};

namespace {

constexpr std::size_t beadCount = 12;
constexpr std::size_t bytesOfBeads = 64;

std::vector<Bead> beadsOf(int mark) {
    std::vector<Bead> beads(beadCount);
    for (std::size_t i = 0; i < beadCount; ++i) {
        beads[i].parcel.mark = mark + static_cast<int>(i);
        beads[i].next = &beads[(i + 1) % beadCount];
    }
    return beads;
}

bool isCircleOf(const Bead* first, int mark) {
    const Bead* bead = first;
    for (std::size_t i = 0; i < beadCount; ++i, bead = bead->next) {
        if (bead->parcel.mark != mark + static_cast<int>(i)) return false;
    }
    return bead == first;
}

}    // namespace

void RegionActions::expect(bool isRight, const char* what, int mark) {
    if (!isRight) note_(what, mark);
    throwPoint();
}

void RegionActions::act(RegionAction action, int mark, int root) {
    throwPoint();
    actAlone(action);
    actCollectively(action, mark, root);
    actOnNumbers(action, mark, root);
    sendRound(action, mark);
    sendGraphs(action, mark, root);
    actInBackground(action, mark, root);
    if (action == RegionAction::Unwinding) unwind(mark);
    if (action == RegionAction::Confiding) confide(mark);
    if (action == RegionAction::InGroup) actInGroup(mark);
    if (action == RegionAction::PlainData) actOnPlainData(10, mark, root);
    if (action == RegionAction::LargePlainData) actOnPlainData(20000, mark, root);
    throwPoint();
}

void RegionActions::actAlone(RegionAction action) {
    if (action == RegionAction::Barrier) c_.barrier();
    if (action == RegionAction::Poll) c_.poll();
    if (action == RegionAction::Flush) c_.flush();
}

void RegionActions::actCollectively(RegionAction action, int mark, int root) {
    const int size = c_.size();
    const bool isRoot = c_.rank() == root;
    switch (action) {
        case RegionAction::Broadcast: expect(c_.broadcast(Parcel(isRoot ? mark : 0), root).mark == mark, "broadcast", mark); break;
        case RegionAction::Gather: {
            const std::vector<Parcel> all = c_.gather(Parcel(mark + c_.rank()), root);
            expect(all == (isRoot ? parcelsFrom(mark, size) : std::vector<Parcel>()), "gather", mark);
            const std::vector<int> parts = c_.gather(std::vector<int>(static_cast<std::size_t>(c_.rank() % 3), mark), root);
            expect(isRoot || parts.empty(), "gather of vectors", mark);
            break;
        }
        case RegionAction::AllGather: expect(c_.allGather(Parcel(mark + c_.rank())) == parcelsFrom(mark, size), "allGather", mark); break;
        case RegionAction::Scatter: {
            const std::vector<Parcel> parcels = isRoot ? parcelsFrom(mark, size) : std::vector<Parcel>();
            expect(c_.scatter(parcels, root).mark == mark + c_.rank(), "scatter", mark);
            break;
        }
        case RegionAction::AllToAll: {
            const std::vector<Parcel> own(static_cast<std::size_t>(size), Parcel(mark + c_.rank()));
            expect(c_.allToAll(own) == parcelsFrom(mark, size), "allToAll", mark);
            break;
        }
        default: break;
    }
}

void RegionActions::actOnNumbers(RegionAction action, int mark, int root) {
    const int size = c_.size();
    const int sum = size * (size - 1) / 2;
    switch (action) {
        case RegionAction::Reduce: {
            const int total = c_.reduce(Parcel(mark + c_.rank()), add, root).mark;
            expect(total == (c_.rank() == root ? size * mark + sum : 0), "reduce", mark);
            break;
        }
        case RegionAction::AllReduce: {
            expect(c_.allReduce(Parcel(mark + c_.rank()), add).mark == size * mark + sum, "allReduce", mark);
            const std::vector<int> both = c_.allReduce(std::vector<int>{c_.rank(), mark}, Sum{});
            expect(both == std::vector<int>{sum, size * mark}, "allReduce of vectors", mark);
            break;
        }
        case RegionAction::Scan:
            expect(c_.scan(Parcel(mark), add).mark == mark * (c_.rank() + 1), "scan", mark);
            expect(c_.exclusiveScan(Parcel(mark), add).mark == mark * c_.rank(), "exclusive scan", mark);
            break;
        case RegionAction::ReduceScatter: {
            const std::vector<Parcel> block = c_.reduceScatter(std::vector<Parcel>(static_cast<std::size_t>(size), Parcel(mark)), add);
            expect(block == std::vector<Parcel>{Parcel(size * mark)}, "reduceScatter", mark);
            break;
        }
        default: break;
    }
}

/// Collectives with plain data. Ranks of one host use shared memory, and for large data blocking calls of MPI.
void RegionActions::actOnPlainData(std::size_t size, int mark, int root) {
    const auto ranks = static_cast<std::size_t>(c_.size());
    const std::vector<int> own(size, mark);
    const std::vector<int> ofAll(size * ranks, mark);
    expect(c_.broadcast(c_.rank() == root ? own : std::vector<int>(), root) == own, "broadcast of plain data", mark);
    throwPoint();
    expect(c_.allGather(own) == ofAll, "allGather of plain data", mark);
    throwPoint();
    const std::vector<int> gathered = c_.gather(own, root);
    expect(gathered == (c_.rank() == root ? ofAll : std::vector<int>()), "gather of plain data", mark);
    throwPoint();
    expect(c_.scatter(std::vector<std::vector<int>>(ranks, own), root) == own, "scatter of plain data", mark);
    throwPoint();
    std::vector<int> incoming(ofAll.size());
    const std::vector<int> counts(ranks, static_cast<int>(size));
    c_.allToAll(ofAll, {.counts = counts, .into = incoming});
    expect(incoming == ofAll, "allToAll of plain data", mark);
    throwPoint();
    expect(c_.allReduce(own, Max{}) == own, "allReduce of plain data", mark);
    const auto larger = [](int left, int right) {
        throwPoint();
        return left < right ? right : left;
    };
    if (size < 100) expect(c_.allReduce(own, larger) == own, "allReduce of plain data by a function", mark);
    throwPoint();
    expect(c_.scan(own, Min{}) == own, "scan of plain data", mark);
}

void RegionActions::actInBackground(RegionAction action, int mark, int root) {
    StartedActions started(c_, mark, root, [this, mark](bool isRight, const char* what) { expect(isRight, what, mark); });
    if (action == RegionAction::Started) started.takeInOrder();
    if (action == RegionAction::StartedInDisorder) started.takeInDisorder();
    if (action == RegionAction::StartedAndDropped) started.dropSome();
    if (action == RegionAction::Neighbours) started.exchangeWithNeighbours();
}

void RegionActions::sendRound(RegionAction action, int mark) {
    switch (action) {
        case RegionAction::Ring:
            c_.send(next(), Parcel(mark));
            expect(c_.receive<Parcel>(previous()).mark == mark, "ring", mark);
            break;
        case RegionAction::AnyClass: {
            c_.send(next(), Parcel(mark));
            const std::unique_ptr<Message> message = c_.receive(previous());
            const auto* parcel = dynamic_cast<const Parcel*>(message.get());
            expect(parcel != nullptr && parcel->mark == mark, "message of any class", mark);
            break;
        }
        case RegionAction::FromAny: {
            using Signed = std::pair<int, int>;
            for (int to = 0; to < c_.size(); ++to) c_.send(to, Signed(mark, c_.rank()));
            int sum = 0;
            for (int i = 0; i < c_.size(); ++i) {
                const Signed one = c_.receive<Signed>();
                expect(one.first == mark, "from any rank", mark);
                sum += one.second;
            }
            expect(sum == c_.size() * (c_.size() - 1) / 2, "from all ranks", mark);
            c_.barrier();    // later messages must not be taken for these
            break;
        }
        case RegionAction::LargeRing: {
            const std::vector<int> large(20'000, mark);
            c_.send(next(), large);
            throwPoint();
            expect(c_.receive<std::vector<int>>(previous()) == large, "large ring", mark);
            break;
        }
        case RegionAction::LargeInPlace: {
            const std::vector<int> large(20'000, mark);
            std::vector<int> received;
            if (c_.rank() % 2 == 0) c_.send(next(), large);    // with an even number of ranks, the odd ranks wait already
            throwPoint();
            c_.receiveInto(previous(), received);
            expect(received == large, "large array in place", mark);
            if (c_.rank() % 2 != 0) c_.send(next(), large);
            break;
        }
        case RegionAction::SendReceive: expect(c_.sendReceive(next(), Parcel(mark), previous()).mark == mark, "sendReceive", mark); break;
        case RegionAction::ReceiveAny: {
            c_.send(next(), mark, Tag(mark));
            c_.send(next(), Parcel(mark), Tag(mark));
            throwPoint();
            const auto first = c_.receiveAny<Parcel, int>({.from = previous(), .tag = Tag(mark)});
            expect(std::get<int>(first.value) == mark, "the oldest of two types", mark);
            expect(c_.receiveAny<Parcel>({.tag = Tag(mark)}).value.mark == mark, "from any rank by tag", mark);
            break;
        }
        case RegionAction::Pool: {
            PendingPool<Parcel> pool(2);
            for (int i = 0; i < 4; ++i) c_.send(next(), Parcel(mark + i));
            throwPoint();
            for (int i = 0; i < 4; ++i) pool.add(c_.expect<Parcel>(previous()));
            expect(pool.next().mark == mark, "the first of a pool", mark);
            expect(pool.waitAll().size() == 3, "the others of a pool", mark);
            break;
        }
        default: break;
    }
}

void RegionActions::sendGraphs(RegionAction action, int mark, int root) {
    const std::vector<Bead> circle = beadsOf(mark);
    switch (action) {
        case RegionAction::GraphRing: {
            Pending<void> posted = c_.post(next(), graph(circle.data(), bytesOfBeads));
            posted.get();    // first, because a receive from this rank itself depends on it: get() reports whether the graph could be sent
            expect(isCircleOf(c_.receiveGraph<Bead>(previous()).root(), mark), "ring of graphs", mark);
            break;
        }
        case RegionAction::GraphBroadcast:
            expect(isCircleOf(c_.broadcastGraph(graph(circle.data(), bytesOfBeads), root).root(), mark), "broadcast of a graph", mark);
            break;
        case RegionAction::Pendings: {
            Pending<Graph<Bead>> expectedGraph = c_.expectGraph<Bead>(previous());
            Pending<Parcel> expectedParcel = c_.expect<Parcel>(previous());
            throwPoint();
            Pending<void> postedGraph = c_.post(next(), graph(circle.data(), bytesOfBeads));
            Pending<void> postedParcel = c_.post(next(), Parcel(mark));
            expect(expectedParcel.get().mark == mark, "expected parcel", mark);
            static_cast<void>(expectedGraph.ready());
            postedParcel.get();
            postedGraph.get();
            expect(isCircleOf(expectedGraph.get().root(), mark), "expected graph", mark);
            break;
        }
        default: break;
    }
}

/// Uses the connector in a destructor during an exception.
void RegionActions::unwind(int mark) {
    struct Farewell {
        Connector& c;
        int to;
        int uncaught = std::uncaught_exceptions();
        ~Farewell() {
            if (std::uncaught_exceptions() == uncaught) return;
            try {
                c.send(to, -1);
                c.poll();
                c.barrier();
                c.flush();
            } catch (...) {    // the transport may fail; the next call reports the failure too
            }
        }
    };
    const Farewell farewell{c_, next()};
    throwPoint();
    c_.send(next(), Parcel(mark));
    expect(c_.receive<Parcel>(previous()).mark == mark, "ring with destructors", mark);
}

/// Tells other ranks of a failure before the exception leaves the region.
void RegionActions::confide(int mark) {
    try {
        throwPoint();
        c_.barrier();
        throwPoint();
    } catch (...) {
        for (int to = 0; to < c_.size(); ++to) {
            if (to != c_.rank()) c_.send(to, mark);
        }
        throw;
    }
}

/// Lets each group act by itself, inside and outside a region of the group.
void RegionActions::actInGroup(int mark) {
    Connector& group = *group_;
    group.send((group.rank() + 1) % group.size(), Parcel(mark));
    throwPoint();
    expect(group.receive<Parcel>((group.rank() + group.size() - 1) % group.size()).mark == mark, "ring in a group", mark);
    expect(group.allReduce(Parcel(mark), add).mark == mark * group.size(), "allReduce in a group", mark);
    group.guarded([&] {
        throwPoint();
        expect(group.allGather(Parcel(mark + group.rank())) == parcelsFrom(mark, group.size()), "allGather in a group", mark);
        group.barrier();
    });
    const std::unique_ptr<Connector> inner = group.split(0);
    expect(inner->broadcast(Parcel(mark), inner->size() - 1).mark == mark, "broadcast in a group of a group", mark);
}

}    // namespace ferry::test
