#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/device.hpp>
#include <ferry/tests/support/AllocationWatch.hpp>

// Graphs of objects that point to each other, as in the deep copies of MEL.

namespace {

struct Node {
    int value = 0;
    std::vector<Node*> edges;
    FERRY_FIELDS(value, edges)
};

struct Item {
    int value = 0;
    Item* next = nullptr;
    FERRY_FIELDS(value, next)
};

using Nodes = std::vector<std::unique_ptr<Node>>;

Nodes makeNodes(std::size_t count) {
    Nodes nodes;
    for (std::size_t i = 0; i < count; ++i) {
        nodes.push_back(std::make_unique<Node>());
        nodes.back()->value = static_cast<int>(i);
    }
    return nodes;
}

Nodes ring(std::size_t count) {
    Nodes nodes = makeNodes(count);
    for (std::size_t i = 0; i < count; ++i) nodes[i]->edges.push_back(nodes[(i + 1) % count].get());
    return nodes;
}
Nodes tree(std::size_t count) {
    Nodes nodes = makeNodes(count);
    for (std::size_t i = 1; i < count; ++i) nodes[(i - 1) / 2]->edges.push_back(nodes[i].get());
    return nodes;
}
Nodes randomGraph(std::size_t count) {
    Nodes nodes = makeNodes(count);
    std::minstd_rand random(7);
    for (std::size_t i = 0; i < count; ++i) {
        nodes[i]->edges.push_back(nodes[(i + 1) % count].get());    // all nodes are reached
        for (int edge = 0; edge < 4; ++edge) nodes[i]->edges.push_back(nodes[random() % count].get());
    }
    return nodes;
}
Nodes full(std::size_t count) {
    Nodes nodes = makeNodes(count);
    for (auto& node : nodes) {
        for (auto& other : nodes) node->edges.push_back(other.get());
    }
    return nodes;
}

// Visits every node from the root once, in a kernel, and doubles its value.
void doubleAll(ferry::Device& device, Node* root, std::size_t count) {
    device.run(1, [root, count](std::size_t) {
        std::vector<Node*> found{root};
        found.reserve(count);
        root->value = -root->value - 1;    // negative: found
        for (std::size_t i = 0; i < found.size(); ++i) {
            for (Node* next : found[i]->edges) {
                if (next->value < 0) continue;
                next->value = -next->value - 1;
                found.push_back(next);
            }
        }
        for (Node* node : found) node->value = 2 * (-node->value - 1);
    });
}

void checkGraph(const Nodes& nodes, std::size_t objects) {
    ferry::Device device = ferry::Device::host();
    std::vector<std::vector<Node*>> edges;
    for (const auto& node : nodes) edges.push_back(node->edges);
    for (const int factor : {2, 4}) {    // packed twice
        auto there = device.copy(*nodes[0]);
        CHECK(there.objects() == objects);
        CHECK(device.transfers().toDevice == static_cast<std::size_t>(factor) / 2);
        doubleAll(device, there.get(), nodes.size());
        there.fetch();
        bool isRight = true;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            isRight &= nodes[i]->value == factor * static_cast<int>(i) && nodes[i]->edges == edges[i];
        CHECK(isRight);
    }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t Large = 1 << 14;
#else
constexpr std::size_t Large = 1 << 20;
#endif

}    // namespace

TEST_CASE("Device graphs: a ring, packed twice") {
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{1024}, Large}) checkGraph(ring(count), 2 * count);
}

TEST_CASE("Device graphs: a tree, packed twice") {
    for (const std::size_t count : {std::size_t{3}, std::size_t{1023}, Large - 1}) checkGraph(tree(count), count + count / 2);
}

TEST_CASE("Device graphs: a random graph, packed twice") {
    for (const std::size_t count : {std::size_t{10}, std::size_t{1024}, Large / 4}) checkGraph(randomGraph(count), 2 * count);
}

TEST_CASE("Device graphs: a full graph, packed twice") {
    for (const std::size_t count : {1, 2, 100, 500}) checkGraph(full(count), 2 * count);
}

TEST_CASE("Device graphs: a kernel reverses a list") {
    ferry::Device device = ferry::Device::host();
    std::vector<std::unique_ptr<Item>> items;
    for (int i = 0; i < 1000; ++i) {
        items.push_back(std::make_unique<Item>());
        items.back()->value = i;
        if (i > 0) items[items.size() - 2]->next = items.back().get();
    }
    auto there = device.copy(*items[0]);
    device.run(1, [head = there.get()](std::size_t) {
        Item* done = nullptr;
        for (Item* item = head; item != nullptr;) {
            Item* next = item->next;
            item->next = done;
            done = item;
            item = next;
        }
    });
    there.fetch();
    CHECK(items[0]->next == nullptr);
    bool isRight = true;
    for (std::size_t i = 1; i < items.size(); ++i) isRight &= items[i]->next == items[i - 1].get();
    CHECK(isRight);
    // The first item leads to no other any more, so that the next copy has one object.
    there.update();
    CHECK(there.objects() == 1);
}

TEST_CASE("Device graphs: a kernel rewires a graph") {
    ferry::Device device = ferry::Device::host();
    const Nodes nodes = ring(100);
    auto there = device.copy(*nodes[0]);
    device.run(1, [root = there.get()](std::size_t) {
        Node* node = root;
        do {
            Node* next = node->edges[0];
            node->edges[0] = root;
            node = next;
        } while (node != root);
    });
    there.fetch();
    CHECK(std::all_of(nodes.begin(), nodes.end(), [&](const auto& node) { return node->edges[0] == nodes[0].get(); }));
}

TEST_CASE("Device graphs: a pointer that leads outside is named") {
    ferry::Device device = ferry::Device::host();
    Item second{2, nullptr};
    Item first{1, &second};
    auto there = device.copy(first);
    device.run(1, [head = there.get()](std::size_t) { head->next = reinterpret_cast<Item*>(std::uintptr_t{4096}); });
    try {
        there.fetch();
        FAIL("a stray pointer came back");
    } catch (const ferry::DeviceError& e) {
        CHECK(e.problem() == ferry::DeviceProblem::StrayPointer);
        CHECK(std::string(e.what()).find("Item::next") != std::string::npos);
        CHECK(std::string(e.what()).find("0x1000") != std::string::npos);
    }
    CHECK(first.next == &second);
}

namespace {

struct Body {
    double mass = 0;
    FERRY_FIELDS(mass)
};
struct World {
    int count = 0;
    Body* first = nullptr;    // leads into the array, and is met before it
    Body* sun = nullptr;      // leads to the member
    Body* bodies = nullptr;
    Body star;
    FERRY_FIELDS(first, sun, ferry::arrayOf(bodies, count), star)
};

}    // namespace

TEST_CASE("Device graphs: a pointer into an array, and a pointer to a member, lead to the same object on the device") {
    ferry::Device device = ferry::Device::host();
    std::vector<Body> bodies(5);
    World world{5, &bodies[3], nullptr, bodies.data(), {}};
    world.sun = &world.star;
    auto there = device.copy(world);
    CHECK(there.objects() == 2);
    bool isSame = false;
    device.run(1, [&isSame, w = there.get()](std::size_t) {
        isSame = w->first == w->bodies + 3 && w->sun == &w->star;
        w->first->mass = 7;
        w->sun->mass = 9;
        w->first = w->bodies + 1;
    });
    CHECK(isSame);
    there.fetch();
    CHECK(bodies[3].mass == 7);
    CHECK(world.star.mass == 9);
    CHECK(world.first == &bodies[1]);
    CHECK(world.sun == &world.star);
    Body* inside = there.address(&bodies[2]);
    CHECK(inside == there.address(world.bodies) + 2);
}

namespace devicegraphs {    // clang cannot take apart plain structs of an unnamed namespace that hold one another

struct Point {
    double x = 0;
    double y = 0;
};
struct Segment {
    Point from;
    std::array<Point, 2> to;
};
struct Origin {
    double x = 0;
    FERRY_FIELDS(x)
};
struct Moved : Origin {
    double by = 0;
    FERRY_FIELDS_AFTER(Origin, by)
};
class Figure {    // whose members only a View knows
public:
    virtual ~Figure() = default;
    Segment side;
    Point* corner = nullptr;
};
using ShownFigure = ferry::View<&Figure::side, &Figure::corner>;

struct Drawing {
    std::vector<Segment> segments;
    std::vector<Moved> moved;
    Point* picked = nullptr;
    Point* other = nullptr;
    Origin* origin = nullptr;
    int numbers = 0;
    double* number = nullptr;
    std::string name;
    std::string_view letter;
    FERRY_DEVICE_FIELDS(segments, moved, picked, other, origin, ferry::arrayOf(number, numbers), name, letter)
};

}    // namespace devicegraphs

TEST_CASE("Device graphs: a pointer to a member of an object without pointers leads to the same place on the device") {
    using namespace devicegraphs;
    ferry::Device device = ferry::Device::host({.threads = 1});
    Drawing drawing;
    drawing.segments.resize(3);
    drawing.moved.resize(2);
    drawing.name = "a";
    drawing.picked = &drawing.segments[1].from;
    auto check = [&](std::size_t objects) {
        auto there = device.copy(drawing);
        CHECK(there.objects() == objects);
        bool isSame = true;
        device.run(1, [&isSame, d = there.get()](std::size_t) {
            isSame = d->picked == nullptr || d->picked == &d->segments[1].from;
            isSame &= d->other == nullptr || d->other == &d->segments[2].to[1];
            isSame &= d->origin == nullptr || d->origin == &d->moved[1];
            isSame &= d->number == nullptr || d->number == &d->segments[0].from.y;
            isSame &= d->letter.empty() || d->letter.data() == d->name.data();
            d->segments[1].from.x += 5;
        });
        CHECK(isSame);
        drawing.segments[1].from.x = 0;
        there.fetch();
        CHECK(drawing.segments[1].from.x == 5);
        drawing.segments[1].from.x = 0;
        drawing.picked = nullptr;
    };
    check(3);
    drawing.other = &drawing.segments[2].to[1];
    check(3);
    drawing.other = nullptr;
    drawing.origin = &drawing.moved[1];
    check(3);
    drawing.origin = nullptr;
    drawing.number = &drawing.segments[0].from.y;
    drawing.numbers = 1;
    check(3);
    drawing.numbers = 0;
    drawing.number = nullptr;
    drawing.letter = drawing.name;
    check(3);

    Figure figure;
    figure.corner = &figure.side.to[0];
    auto there = device.copy(ferry::part<ShownFigure>(figure));
    CHECK(there.objects() == 1);
    device.run(1, [f = there.get()](std::size_t) { f->corner->x = 6; });
    there.fetch();
    CHECK(figure.side.to[0].x == 6);
}

namespace {

struct Cell {
    int value = 0;
    int count = 0;
    Cell* grid = nullptr;    // all cells
    Cell* left = nullptr;    // one of them
    FERRY_FIELDS(value, ferry::arrayOf(grid, count), left)
};
struct ShownCell : ferry::View<&Cell::value, ferry::inside<&Cell::left, ShownCell>,
                               ferry::counted<ferry::CountedBy<&Cell::count>, ferry::ArrayAt<&Cell::grid, ShownCell>>> {};

struct Place {
    int value = 0;
    std::span<Place> row;
    std::span<Place> rest;    // the end of the row
    Place* first = nullptr;
    FERRY_DEVICE_FIELDS(value, row, rest, first)
};

struct Wagon {
    int value = 0;
    std::unique_ptr<Wagon> next;
    Wagon* before = nullptr;
    FERRY_FIELDS(value, next, before)
};

}    // namespace

TEST_CASE("Device graphs: elements that lead to all elements and to one of them are found once") {
    ferry::Device device = ferry::Device::host({.threads = 1});
    std::vector<Cell> cells(3);
    for (int i = 0; i < 3; ++i)
        cells[static_cast<std::size_t>(i)] = {i, 3, cells.data(), i == 0 ? nullptr : &cells[static_cast<std::size_t>(i) - 1]};
    auto there = device.copy(cells[0]);
    CHECK(there.objects() == 1);
    device.run(1, [c = there.get()](std::size_t) { c->grid[2].left->left->value = c->grid[2].value + 5; });
    there.fetch();
    CHECK(cells[0].value == 7);
    device.run(1, [c = there.get()](std::size_t) { c->grid[2].value = 9; });
    there.fetch<ShownCell>();    // meets the first cell alone before it meets all
    CHECK(cells[2].value == 9);

    std::vector<Place> places(4);
    for (std::size_t i = 0; i < 4; ++i) places[i] = {0, places, std::span(places).subspan(i), &places[0]};
    auto row = device.copy(places[0]);
    CHECK(row.objects() == 1);
    device.run(1, [p = row.get()](std::size_t) { p->row[2].rest[1].first->value = 8; });
    row.fetch();
    CHECK(places[0].value == 8);
}

TEST_CASE("Device graphs: a chain of owners with pointers back is found once") {
    ferry::Device device = ferry::Device::host({.threads = 1});
    constexpr int Count = 300;
    Wagon first;
    Wagon* last = &first;
    for (int i = 1; i < Count; ++i) {
        last->next = std::make_unique<Wagon>();
        last->next->before = last;
        last = last->next.get();
    }
    std::size_t largest = 0;
    {
        const ferry::test::AllocationWatch watch;
        auto there = device.copy(first);
        CHECK(there.objects() == Count);
        device.run(1, [w = there.get()](std::size_t) { w->next->before->next->next->value = 4; });
        there.fetch();
        largest = watch.largestBytes();
    }
    CHECK(largest < 1000 * Count);    // not as the square of their number
    CHECK(first.next->next->value == 4);
}

namespace {

struct Entry {
    int column = 0;
    double value = 0;
    FERRY_FIELDS(column, value)
};
struct Stop {
    int value = 0;
    Stop* next = nullptr;
    FERRY_FIELDS(value, next)
};
template <class Element>
struct Range {
    Element* begin = nullptr;
    Element* end = nullptr;
    FERRY_FIELDS(begin, end)
};
template <class Element>
struct Ranges {
    std::vector<Range<Element>> before;    // is met before the vector
    std::vector<Element> elements;
    std::vector<Element> others;
    Range<Element> behind;
    Range<Element> nothing;
    std::vector<Element> none;
    FERRY_FIELDS(before, elements, others, behind, nothing, none)
};
template <class Element>
struct Part {
    Element* at = nullptr;
    int count = 0;
    Element* elements = nullptr;
    std::span<Element> rest;
    FERRY_DEVICE_FIELDS(at, ferry::arrayOf(elements, count), rest)
};
struct Late {
    Late* end = nullptr;
    Late* way = nullptr;
    int count = 0;
    Late* array = nullptr;
    FERRY_FIELDS(end, way, ferry::arrayOf(array, count))
};

}    // namespace

TEST_CASE_TEMPLATE("Device graphs: a pointer to the end of a vector leads to its end on both sides", Element, Entry, Stop) {
    ferry::Device device = ferry::Device::host({.threads = 1});
    for (const std::size_t spare : {0, 10}) {
        Ranges<Element> ranges;
        ranges.elements.reserve(4 + spare);
        ranges.elements.resize(4);
        ranges.others.resize(4);
        ranges.none.reserve(2);
        Element* first = ranges.elements.data();
        ranges.before = {{first, first + 2}, {first + 2, first + 4}};
        ranges.behind = {ranges.others.data() + 1, ranges.others.data() + 4};
        ranges.nothing = {ranges.none.data(), ranges.none.data()};
        auto there = device.copy(ranges);
        CHECK(there.objects() == 4);
        bool isRight = false;
        device.run(1, [&isRight, r = there.get()](std::size_t) {
            const Element* begin = r->elements.data();
            isRight = r->before[0].begin == begin && r->before[0].end == begin + 2 && r->before[1].end == begin + 4 &&
                      r->behind.end == r->others.data() + 4 && r->nothing.begin == r->nothing.end;
            for (Element& each : r->elements) each.value = 3;
            r->behind = {r->elements.data(), r->elements.data() + 4};
        });
        CHECK(isRight);
        there.fetch();
        CHECK(ranges.elements[3].value == 3);
        CHECK(ranges.before[1].end == first + 4);
        CHECK(ranges.nothing.end == ranges.none.data());
        CHECK(ranges.behind.begin == first);
        CHECK(ranges.behind.end == first + 4);    // and not the beginning of the other vector
    }
}

TEST_CASE_TEMPLATE("Device graphs: behind an array lies its end, or an object to which an owner or an array leads", Element, Entry, Stop) {
    ferry::Device device = ferry::Device::host({.threads = 1});
    std::array<Element, 6> elements{};
    Part<Element> part{&elements[4], 4, &elements[0], {}};
    const auto lengthThere = [&device](const auto& there) {
        std::ptrdiff_t length = 0;
        device.run(1, [&length, p = there.get()](std::size_t) { length = p->at - p->elements; });
        return length;
    };
    {
        auto there = device.copy(part);
        CHECK(there.objects() == 2);
        CHECK(lengthThere(there) == 4);
        device.run(1, [p = there.get()](std::size_t) { p->elements += 4; });
        CHECK_THROWS_AS(there.fetch(), ferry::DeviceError);    // no four elements are there
        CHECK(part.elements == &elements[0]);
    }
    part.rest = std::span(elements).subspan(4);
    auto there = device.copy(part);
    CHECK(there.objects() == 3);
    device.run(1, [p = there.get()](std::size_t) {
        p->at->value = 7;
        p->rest[0].value += 1;
    });
    there.fetch();
    CHECK(elements[4].value == 8);
}

TEST_CASE("Device graphs: an array that only pointers behind its end lead to is refused") {
    ferry::Device device = ferry::Device::host({.threads = 1});
    std::array<Late, 3> all{};
    Late holder{nullptr, nullptr, 2, all.data()};
    Late root{&all[2], &holder, 0, nullptr};
    CHECK_THROWS_WITH_AS(static_cast<void>(device.copy(root)), doctest::Contains("leads to the end of an array"), ferry::UsageError);
}

TEST_CASE("Device graphs: two arrays that overlap in part are refused") {
    struct Two {
        int count = 4;
        double* left = nullptr;
        double* right = nullptr;
    };
    using OfTwo = ferry::View<ferry::counted<ferry::CountedBy<&Two::count>, ferry::ArrayAt<&Two::left>, ferry::ArrayAt<&Two::right>>>;
    ferry::Device device = ferry::Device::host();
    std::vector<double> values(6);
    Two two{4, values.data(), values.data() + 2};
    CHECK_THROWS_AS(device.copy(ferry::part<OfTwo>(two)), ferry::UsageError);
    two.right = two.left;    // one array
    CHECK(device.copy(ferry::part<OfTwo>(two)).objects() == 2);
}

TEST_CASE("Device graphs: objects that lie one after the other at one address are different objects") {
    ferry::Device device = ferry::Device::host();
    for (int round = 0; round < 3; ++round) {
        auto item = std::make_unique<Item>();
        item->value = round;
        Item root{0, item.get()};
        auto there = device.copy(root);
        int found = -1;
        device.run(1, [&found, r = there.get()](std::size_t) { found = r->next->value; });
        CHECK(found == round);
        CHECK(there.objects() == 2);
    }
}
