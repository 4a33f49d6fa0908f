#include <ferry/serialization/codec/CodecAdaptor.hpp>

#include <deque>
#include <filesystem>
#include <forward_list>
#include <functional>
#include <queue>
#include <stack>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/checkpoint/TypeText.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry::test;

namespace codecAdaptorTest {

struct AdaptorNode {
    int value = 0;
    AdaptorNode* next = nullptr;
    FERRY_FIELDS(value, next)
};
struct AdaptorRoute {
    std::queue<AdaptorNode*> open;
    std::stack<AdaptorNode*, std::vector<AdaptorNode*>> done;
    std::forward_list<AdaptorNode*> all;
    FERRY_FIELDS(open, done, all)
};
struct AdaptorBlock {
    AdaptorNode nodes[2];
    FERRY_FIELDS(nodes)
};
struct AdaptorBlocks {
    std::queue<AdaptorBlock> blocks;
    AdaptorNode* end = nullptr;
    FERRY_FIELDS(blocks, end)
};
/// An order that is the other way round when it has been told so.
struct AdaptorOrder {
    bool isUp = false;
    bool operator()(int left, int right) const { return isUp ? left > right : left < right; }
};

}    // namespace codecAdaptorTest

using namespace codecAdaptorTest;

TEST_CASE("CodecAdaptor: stacks and queues travel as their containers") {
    std::queue<int> queue({3, 4});
    CHECK(checkTravel(queue, {2, 3, 4}) == queue);
    std::stack<std::string, std::vector<std::string>> stack;
    stack.push("a");
    CHECK(checkTravel(stack, {1, 1, 'a'}) == stack);
    CHECK(ferry::detail::typeTextOf<std::queue<int>>() == ferry::detail::typeTextOf<std::deque<int>>());
    CHECK(ferry::detail::typeTextOf<std::stack<char>>() == ferry::detail::typeTextOf<std::deque<char>>());
}

TEST_CASE("CodecAdaptor: a priority_queue travels as its heap, and another order of the elements is refused") {
    std::priority_queue<int> queue;
    for (const int number : {1, 5, 3}) queue.push(number);
    std::priority_queue<int> arrived = checkTravel(queue, {3, 5, 1, 3});
    CHECK(arrived.top() == 5);
    arrived.pop();
    CHECK(arrived.top() == 3);
    CHECK(errorOf<std::priority_queue<int>>({3, 1, 5, 3}) ==
          "int 0: expected the elements of a priority_queue as a heap, found another order");

    std::priority_queue<int, std::vector<int>, std::greater<>> least(std::greater<>(), {1, 2});
    CHECK(valueOf<decltype(least)>(intsOf(least)).top() == 1);
}

TEST_CASE("CodecAdaptor: an order with a state is that of the priority_queue which is read into") {
    using Queue = std::priority_queue<int, std::vector<int>, AdaptorOrder>;
    Queue queue(AdaptorOrder{true}), arrived(AdaptorOrder{true});
    for (const int number : {4, 2, 9}) queue.push(number);
    ferry::IntReader(intsOf(queue)) >> arrived;
    CHECK(arrived.top() == 2);
    CHECK(!ferry::detail::isMadeReady<Queue>);

    using Pointed = std::priority_queue<int, std::vector<int>, bool (*)(int, int)>;
    Pointed null;
    ferry::IntReader in(std::span<const std::int32_t>{});
    const Ints ints{2, 5, 1};
    ferry::IntReader reader(ints);
    CHECK_THROWS_AS(reader >> null, ferry::UsageError);
}

TEST_CASE("CodecAdaptor: pointers in stacks and queues lead to objects of a graph") {
    AdaptorNode node;
    node.next = &node;
    AdaptorRoute route;
    route.open.push(&node);
    route.done.push(&node);
    route.all.push_front(&node);
    const auto copy = ferry::copyGraph(&route);
    CHECK(copy->open.front() == copy->done.top());
    CHECK(copy->open.front() == copy->all.front());
    CHECK(copy->all.front()->next == copy->all.front());
}

TEST_CASE("CodecAdaptor: a pointer to the end of an array in a queue is refused") {
    AdaptorBlocks blocks;
    blocks.blocks.emplace();
    blocks.end = std::end(blocks.blocks.front().nodes);
    CHECK_THROWS_AS(ferry::copyGraph(&blocks), ferry::UsageError);
}
