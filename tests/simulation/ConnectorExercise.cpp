#include <ferry/tests/simulation/ConnectorExercise.hpp>

#include <cstddef>
#include <memory>
#include <string>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

namespace ferry::test {

namespace {

constexpr std::size_t stepCount = 10;
constexpr std::size_t pieceBytes = 64;

struct Node {
    int value = 0;
    Node* next = nullptr;
    FERRY_FIELDS(value, next)
};

class Circle {
public:
    explicit Circle(int count) : nodes_(static_cast<std::size_t>(count)) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            nodes_[i].value = static_cast<int>(i);
            nodes_[i].next = &nodes_[(i + 1) % nodes_.size()];
        }
    }
    const Node* root() const { return nodes_.data(); }

    static void expect(const Node* root, int count) {
        const Node* node = root;
        for (int i = 0; i < count; ++i, node = node->next) xassert(node->value == i);
        xassert(node == root);
    }

private:
    std::vector<Node> nodes_;
};

int rankAt(const Connector& c, int distance) { return (c.rank() + distance + c.size()) % c.size(); }

}    // namespace

ConnectorExercise::ConnectorExercise(std::uint64_t seed, Waits waits) : seed_(seed), waits_(waits), entered_(stepCount, 0) {}

void ConnectorExercise::run(Connector& c) {
    SeededRandom random(seed_);    // the same numbers on every rank
    const auto below = [&random](int count) { return static_cast<int>(random.below(static_cast<std::uint64_t>(count))); };
    for (std::size_t step = 0; step < stepCount; ++step) {
        const int one = below(c.size());
        const int other = below(c.size());
        const int number = 1 + below(20);
        switch (below(14)) {
            case 0: barrier(c, step); break;
            case 1: broadcast(c, one, number); break;
            case 2: gather(c, one); break;
            case 3: ring(c, other); break;
            case 4: streamsToOne(c, one, number); break;
            case 5: anyClass(c, other); break;
            case 6: graphRing(c, other, number); break;
            case 7: graphFromRoot(c, one, number); break;
            case 8: throwAcross(c, one, other); break;
            case 9: pendingRing(c, other, number); break;
            case 10: startedCollectives(c, one, number); break;
            case 11: droppedCollectives(c, one); break;
            case 12: neighbours(c, other); break;
            default: toItself(c, number); break;
        }
    }
    c.close();
    expectNothingLeft(c);
}

/// Checks that no rank leaves the barrier before all ranks have entered it.
void ConnectorExercise::barrier(Connector& c, std::size_t step) {
    ++entered_[step];
    c.barrier();
    xassert(entered_[step] == c.size());
}

void ConnectorExercise::broadcast(Connector& c, int root, int value) {
    const std::vector<int> expected(static_cast<std::size_t>(value), root);
    xassert(c.broadcast(c.rank() == root ? expected : std::vector<int>(), root) == expected);
}

void ConnectorExercise::gather(Connector& c, int root) {
    const std::vector<int> numbers = c.gather(c.rank(), root);
    const std::vector<int> parts = c.gather(std::vector<int>(static_cast<std::size_t>(c.rank() % 3), c.rank()), root);
    if (c.rank() != root) return;
    std::vector<int> expectedParts;
    for (int rank = 0; rank < c.size(); ++rank) {
        xassert(numbers.at(static_cast<std::size_t>(rank)) == rank);
        expectedParts.insert(expectedParts.end(), static_cast<std::size_t>(rank % 3), rank);
    }
    xassert(parts == expectedParts);
}

/// Sends values of several types, and receives them in another order.
void ConnectorExercise::ring(Connector& c, int distance) {
    const int to = rankAt(c, distance);
    const int from = rankAt(c, -distance);
    c.send(to, c.rank());
    c.send(to, Ping(c.rank()));
    c.send(to, std::string("from ") + std::to_string(c.rank()));
    c.send(to, -c.rank());
    xassert(c.receive<std::string>(from) == "from " + std::to_string(from));
    xassert(c.receive<Ping>(from).number == from);
    xassert(c.receive<int>(from) == from);
    xassert(c.receive<int>(from) == -from);
}

/// Checks that messages of one rank keep their order.
void ConnectorExercise::streamsToOne(Connector& c, int to, int count) {
    for (int i = 0; i < count; ++i) c.send(to, Ping(i));
    if (c.rank() == to) takeStreams(c, count);
    c.barrier();    // later messages must not be taken for these
}

void ConnectorExercise::takeStreams(Connector& c, int count) {
    std::vector<int> expected(static_cast<std::size_t>(c.size()), 0);
    for (int i = 0; i < count * c.size(); ++i) {
        const Ping ping = c.receive<Ping>(waits_ == Waits::ForAnyRankToo ? AnyRank : i % c.size());
        int& expectedNumber = expected.at(static_cast<std::size_t>(ping.sender()));
        xassert(ping.number == expectedNumber);
        ++expectedNumber;
    }
}

void ConnectorExercise::anyClass(Connector& c, int distance) {
    c.send(rankAt(c, distance), Letterhead("title", {1.5}));
    c.send(rankAt(c, distance), Ping(c.rank()));
    const int from = rankAt(c, -distance);
    const std::unique_ptr<Message> first = c.receive(from);
    const std::unique_ptr<Message> second = c.receive(from);
    xassert(dynamic_cast<const Letterhead&>(*first).title == "title");
    xassert(dynamic_cast<const Ping&>(*second).number == from);
}

void ConnectorExercise::graphRing(Connector& c, int distance, int nodeCount) {
    const Circle circle(nodeCount);
    c.send(rankAt(c, distance), graph(circle.root(), pieceBytes));
    Circle::expect(c.receiveGraph<Node>(rankAt(c, -distance)).root(), nodeCount);
}

/// Posts and expects several values at once, and takes them in another order.
void ConnectorExercise::pendingRing(Connector& c, int distance, int nodeCount) {
    const int to = rankAt(c, distance);
    const int from = rankAt(c, -distance);
    const Circle circle(nodeCount);
    Pending<Graph<Node>> expectedGraph = c.expectGraph<Node>(from);
    Pending<int> expectedNumber = c.expect<int>(from);
    Pending<void> postedGraph = c.post(to, graph(circle.root(), pieceBytes));
    Pending<void> postedNumber = c.post(to, c.rank());
    xassert(expectedNumber.get() == from);
    static_cast<void>(expectedGraph.ready());
    postedNumber.get();
    postedGraph.get();    // first, because a receive from this rank itself depends on it: get() reports whether the graph could be sent
    Circle::expect(expectedGraph.get().root(), nodeCount);
}

void ConnectorExercise::graphFromRoot(Connector& c, int root, int nodeCount) {
    const Circle circle(nodeCount);
    Circle::expect(c.broadcastGraph(graph(circle.root(), pieceBytes), root).root(), nodeCount);
}

/// Starts several collectives at once, and takes their values in another order.
void ConnectorExercise::startedCollectives(Connector& c, int root, int value) {
    const std::vector<int> own(static_cast<std::size_t>(c.size()), value + c.rank());
    Pending<int> total = c.startAllReduce(value, Sum{});
    Pending<std::vector<int>> exchanged = c.startAllToAll(own);
    Pending<void> all = c.startBarrier();
    xassert(c.exclusiveScan(1, Sum{}) == c.rank());
    Pending<std::vector<int>> parts = c.startGather(std::vector<int>(static_cast<std::size_t>(c.rank() % 3), value), root);
    Pending<std::vector<int>> block = c.startReduceScatter(own, Sum{});
    Pending<std::string> text = c.startBroadcast(std::string(c.rank() == root ? "text" : ""), root);
    std::vector<int> gathered(static_cast<std::size_t>(c.size()), -1);
    std::vector<int> sums = own;
    Pending<std::span<int>> into = c.startGather(std::span(own).first(1), {.root = root, .into = gathered});
    Pending<std::span<int>> summed = c.startAllReduce(sums, Sum{}, {.into = sums});
    c.startAllGather(own, {.into = gathered}).cancel();    // drops the memory, which is too small
    static_cast<void>(total.ready());
    xassert(text.get() == "text");
    summed.get();
    xassert(sums.back() == c.size() * value + c.size() * (c.size() - 1) / 2);
    xassert(gathered == std::vector<int>(static_cast<std::size_t>(c.size()), -1));
    xassert(into.get().size() == (c.rank() == root ? gathered.size() : 0));
    for (int rank = 0; const int one : gathered) xassert(one == (c.rank() == root ? value + rank++ : -1));
    xassert(block.get().front() == c.size() * value + c.size() * (c.size() - 1) / 2);
    xassert(c.rank() == root || parts.get().empty());
    all.get();
    for (int rank = 0; const int one : exchanged.get()) xassert(one == value + rank++);
    xassert(total.get() == c.size() * value);
}

/// A rank that drops its value still does its part.
void ConnectorExercise::droppedCollectives(Connector& c, int root) {
    Pending<int> total = c.startAllReduce(1, Sum{});
    Pending<std::vector<int>> all = c.startAllGather(c.rank());
    if (c.rank() == root) {
        all.cancel();
        total = c.startScan(1, Sum{});
        return;
    }
    xassert(c.startScan(1, Sum{}).get() == c.rank() + 1);
    xassert(all.get().back() == c.size() - 1);
    xassert(total.get() == c.size());
}

/// Exchanges data between each rank and the two ranks at this distance before and behind it.
void ConnectorExercise::neighbours(Connector& c, int distance) {
    const int to = rankAt(c, distance);
    const int from = rankAt(c, -distance);
    const Neighbourhood both = c.neighbourhood({from, to}, {to, from});
    Pending<std::vector<std::string>> texts = both.startAllToAll(std::vector<std::string>{"forth", "back"});
    xassert(both.allGather(c.rank()) == (std::vector<int>{from, to}));
    xassert(texts.get() == (std::vector<std::string>{"forth", "back"}));
}

/// An exception wakes a rank that waits for a message that never comes.
void ConnectorExercise::throwAcross(Connector& c, int from, int to) {
    if (c.rank() == to) c.send(from, Ping(to));
    if (c.rank() == from) {
        xassert(c.receive<Ping>(to).number == to);    // the next connector call of rank `to` is the wait
        c.throwOn(to, Overloaded(from, {"room"}));
    }
    if (c.rank() != to) return;
    bool isThrown = false;
    try {
        static_cast<void>(c.receive<double>(from));
    } catch (const Overloaded& overloaded) {
        isThrown = true;
        xassert(overloaded.limit == from);
        xassert(overloaded.rooms.size() == 1u);
    }
    xassert(isThrown);
}

void ConnectorExercise::toItself(Connector& c, int count) {
    for (int i = 0; i < count; ++i) c.send(c.rank(), i);
    for (int i = 0; i < count; ++i) xassert(c.receive<int>(c.rank()) == i);
    c.poll();
    c.flush();
}

void ConnectorExercise::expectNothingLeft(Connector& c) {
    c.poll();
    const detail::Filter any(
        {detail::MessageKind::Object, detail::MessageKind::Value, detail::MessageKind::Collective, detail::MessageKind::Graph});
    xassert(!detail::mailboxOf(c).arrived().take(any).has_value());
}

}    // namespace ferry::test
