#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/device.hpp>
#include <ferry/objects.hpp>

// Structures as programs have them, each copied, changed by a kernel and brought back.

namespace deviceuses {

struct Node {
    int value = 0;
    Node* next = nullptr;
    FERRY_FIELDS(value, next)
};

/// Pointers in each kind of container.
struct Holders {
    std::optional<Node*> maybe;
    std::optional<Node> inside;
    std::array<Node*, 3> fixed{};
    Node* plain[2] = {};
    std::pair<Node*, Node*> pair;
    std::tuple<int, Node*, std::vector<Node*>> tuple;
    std::variant<std::monostate, Node*, std::vector<Node*>> variant;
    std::vector<std::optional<Node*>> optionals;
    std::vector<std::array<Node*, 2>> pairs;
    std::vector<std::unique_ptr<Node>> owned;
    std::vector<std::vector<std::vector<Node*>>> nested;
    const Node* constant = nullptr;
};

class Matrix {
public:
    Matrix(int rows, int columns) : rows_(rows), columns_(columns), values_(new double[static_cast<std::size_t>(rows * columns)]()) {}
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;
    ~Matrix() { delete[] values_; }
    FERRY_FIELDS(ferry::ownedArray(values_, rows_, columns_))
    double& at(int row, int column) { return values_[static_cast<std::size_t>(row * columns_ + column)]; }

private:
    int rows_ = 0;
    int columns_ = 0;
    double* values_ = nullptr;
};

/// Pointers to the middle of what other members own.
struct Middle {
    std::string name;
    std::string_view first;    // of the name
    std::vector<double> values;
    std::span<double> part;    // of the values
    std::vector<std::complex<double>> spectrum;
    double* raw = nullptr;    // the numbers of the spectrum
    int rawCount = 0;
    std::vector<Node> nodes;
    Node* best = nullptr;    // one of the nodes
    FERRY_DEVICE_FIELDS(name, first, values, part, spectrum, ferry::arrayOf(raw, rawCount), nodes, best)
};

struct Body {
    double mass = 0;
    std::string name;
    std::vector<Body*> moons;
    Body* parent = nullptr;
    FERRY_FIELDS(mass, name, moons, parent)
};

struct Empty {};
struct HasEmpty {
    Empty empty;
    std::vector<int> numbers;
    std::optional<std::string> text;
    std::vector<Empty> empties;
};

}    // namespace deviceuses

using namespace deviceuses;

TEST_CASE("Device uses: pointers in each kind of container lead to one and the same object") {
    ferry::Device device = ferry::Device::host();
    Node a{1, nullptr}, b{2, &a};
    Holders holders;
    holders.maybe = &a;
    holders.inside = Node{3, &b};
    holders.fixed = {&a, nullptr, &b};
    holders.plain[1] = &b;
    holders.pair = {&b, &a};
    holders.tuple = {4, &a, {&b, &b}};
    holders.variant = std::vector<Node*>{&a};
    holders.optionals = {std::nullopt, &b};
    holders.pairs = {{&a, &b}, {&b, nullptr}};
    holders.owned.push_back(std::make_unique<Node>(Node{5, &a}));
    holders.owned.push_back(nullptr);
    holders.nested = {{}, {{&a}, {}, {&b, &a}}};
    holders.constant = &b;
    auto there = device.copy(holders);
    int right = 0;
    device.run(1, [&right, h = there.get()](std::size_t) {
        Node* one = *h->maybe;
        Node* two = h->fixed[2];
        right = one->value == 1 && two->next == one && h->inside->next == two && h->fixed[1] == nullptr && h->plain[0] == nullptr &&
                h->plain[1] == two && h->pair.first == two && std::get<1>(h->tuple) == one && std::get<2>(h->tuple)[1] == two &&
                std::get<2>(h->variant)[0] == one && !h->optionals[0] && *h->optionals[1] == two && h->pairs[1][0] == two &&
                h->owned[0]->next == one && h->owned[1] == nullptr && h->nested[1][2][0] == two && h->constant == two;
        one->value = 10;
        h->inside->next = one;
        h->fixed[1] = two;
        h->owned[0]->value = 50;
        h->nested[1][0][0] = two;
        h->pair.second = nullptr;
    });
    CHECK(right == 1);
    there.fetch();
    CHECK(a.value == 10);
    CHECK(holders.inside->next == &a);
    CHECK(holders.fixed[1] == &b);
    CHECK(holders.owned[0]->value == 50);
    CHECK(holders.nested[1][0][0] == &b);
    CHECK(holders.pair.second == nullptr);
    CHECK(holders.constant == &b);
    there.update();    // the shape that the kernel made
    there.fetch();
    CHECK(holders.fixed[1] == &b);
}

TEST_CASE("Device uses: a class with private members and an array of two dimensions") {
    ferry::Device device = ferry::Device::host();
    Matrix matrix(3, 4);
    matrix.at(2, 3) = 7;
    auto there = device.copy(matrix);
    device.run(3, [m = there.get()](std::size_t row) { m->at(static_cast<int>(row), 0) = m->at(2, 3) + static_cast<double>(row); });
    there.fetch();
    CHECK(matrix.at(2, 0) == 9);
    CHECK(matrix.at(2, 3) == 7);
}

TEST_CASE("Device uses: pointers into the middle of texts, arrays, and numbers of other types see each other's changes") {
    ferry::Device device = ferry::Device::host();
    for (const bool isShort : {true, false}) {
        for (const std::size_t length : {std::size_t{1}, std::size_t{2}}) {
            for (const std::size_t count : {std::size_t{5}, std::size_t{20'000}}) {
                CAPTURE(isShort);
                CAPTURE(length);
                CAPTURE(count);
                Middle middle;
                middle.name = isShort ? "name" : std::string(100, 'n');
                middle.first = std::string_view(middle.name).substr(1, length);
                middle.values.assign(count, 1);
                middle.part = std::span(middle.values).subspan(2, length);
                middle.spectrum.assign(count, {1, 2});
                middle.raw = reinterpret_cast<double*>(middle.spectrum.data());
                middle.rawCount = static_cast<int>(2 * count);
                middle.nodes.resize(4);
                middle.best = &middle.nodes[2];
                auto there = device.copy(middle);
                bool isRight = false;
                device.run(1, [&isRight, m = there.get()](std::size_t) {
                    m->name[1] = 'X';
                    m->values[2] = 5;
                    m->raw[3] = 9;
                    m->best->value = 3;
                    isRight = m->first[0] == 'X' && m->part[0] == 5 && m->spectrum[1].imag() == 9 && m->nodes[2].value == 3 &&
                              m->part.data() == m->values.data() + 2;
                    m->part[0] = 6;
                    --m->best;
                });
                CHECK(isRight);
                there.fetch();
                CHECK(middle.name[1] == 'X');
                CHECK(middle.values[2] == 6);
                CHECK(middle.spectrum[1].imag() == 9);
                CHECK(middle.nodes[2].value == 3);
                CHECK(middle.best == &middle.nodes[1]);
            }
        }
    }
}

TEST_CASE("Device uses: a system of bodies with cycles, whose pointers the host and the kernel change in turns") {
    ferry::Device device = ferry::Device::host();
    std::vector<std::unique_ptr<Body>> bodies;
    for (int i = 0; i < 10; ++i) {
        bodies.push_back(std::make_unique<Body>());
        bodies.back()->mass = i;
        bodies.back()->name = "body " + std::to_string(i) + std::string(static_cast<std::size_t>(i) * 3, '!');
    }
    for (int i = 1; i < 10; ++i) {
        bodies[i]->parent = bodies[(i - 1) / 2].get();
        bodies[(i - 1) / 2]->moons.push_back(bodies[i].get());
    }
    Body& sun = *bodies[0];
    auto there = device.copy(sun);
    device.run(1, [s = there.get()](std::size_t) { std::swap(s->moons[0], s->moons[1]); });
    there.fetch();
    CHECK(sun.moons[0] == bodies[2].get());
    sun.moons[0]->mass = 100;    // values
    there.update();
    double mass = 0;
    device.run(1, [&mass, s = there.get()](std::size_t) { mass = s->moons[0]->mass; });
    CHECK(mass == 100);
    sun.moons.push_back(bodies[9].get());    // a vector grows
    bodies[9]->parent = &sun;
    Body extra{42, "extra", {}, &sun};
    sun.moons.push_back(&extra);    // an object more
    sun.moons.erase(sun.moons.begin());
    there.update();
    device.run(1, [&mass, s = there.get()](std::size_t) {
        mass = s->moons.back()->mass;
        s->moons.back()->parent->mass = 7;
        s->moons.back()->name[0] = 'E';
    });
    CHECK(mass == 42);
    there.fetch();
    CHECK(sun.mass == 7);
    CHECK(extra.name == "Extra");
}

TEST_CASE("Device uses: two copies of one object live side by side, and two objects share nodes") {
    ferry::Device device = ferry::Device::host();
    Node shared{1, nullptr}, left{2, &shared}, right{3, &shared};
    auto first = device.copy(left);
    auto second = device.copy(right);
    auto again = device.copy(left);
    CHECK(first.get() != again.get());
    device.run(1, [l = first.get(), r = second.get(), a = again.get()](std::size_t) {
        l->next->value = 10;
        r->next->value = 20;
        a->value = 30;
    });
    first.fetch();
    CHECK(shared.value == 10);
    second.fetch();
    CHECK(shared.value == 20);
    again.fetch();
    CHECK(left.value == 30);
    CHECK(shared.value == 1);    // as the third copy has it
    std::vector<ferry::DeviceCopy<Node>> copies;
    for (int i = 0; i < 5; ++i) copies.push_back(device.copy(left));
    copies.erase(copies.begin() + 1);
    copies[1] = std::move(copies[3]);
    device.trim();    // while copies live
    copies[1].fetch();
    CHECK(left.value == 30);
    ferry::Device other = ferry::Device::host({.threads = 1});
    auto elsewhere = other.copy(left);
    other.run(1, [l = elsewhere.get()](std::size_t) { l->value = 31; });
    elsewhere.fetch();
    CHECK(left.value == 31);
}

TEST_CASE("Device uses: empty objects, texts and vectors") {
    ferry::Device device = ferry::Device::host();
    HasEmpty has;
    auto there = device.copy(has);
    bool isEmpty = false;
    device.run(1, [&isEmpty, h = there.get()](std::size_t) { isEmpty = h->numbers.empty() && !h->text && h->empties.empty(); });
    CHECK(isEmpty);
    there.fetch();
    has.text = "";
    has.empties.resize(3);
    there.update();
    device.run(1, [&isEmpty, h = there.get()](std::size_t) { isEmpty = h->text && h->text->empty() && h->empties.size() == 3; });
    CHECK(isEmpty);
    there.fetch();
    CHECK(has.text == "");
    std::vector<int> none;
    auto nothing = device.copy(none);
    device.run(1, [&isEmpty, n = nothing.get()](std::size_t) { isEmpty = n->empty(); });
    CHECK(isEmpty);
}

TEST_CASE("Device uses: an array of structures with pointers is copied by copyArray()") {
    ferry::Device device = ferry::Device::host();
    std::vector<Node> nodes(4);
    Node end{9, nullptr};
    for (Node& node : nodes) node.next = &end;
    nodes[3].next = &nodes[0];
    auto there = device.copyArray(nodes.data(), nodes.size());
    device.run(there.size(), [n = there.get()](std::size_t i) { n[i].value = n[i].next->value + static_cast<int>(i); });
    there.fetch();
    CHECK(nodes[1].value == 10);
    CHECK(nodes[3].next == &nodes[0]);
}

TEST_CASE("Device uses: address() finds members, elements, and owned memory") {
    ferry::Device device = ferry::Device::host();
    Body moon{1, std::string(30, 'm'), {}, nullptr};
    const Body planet{2, "planet", {&moon}, nullptr};
    auto there = device.copy(planet);
    const double* mass = there.address(&planet.mass);
    const char* letter = there.address(moon.name.data() + 29);
    Body** first = there.address(const_cast<Body**>(planet.moons.data()));
    bool isRight = false;
    device.run(1, [&isRight, mass, letter, first, moonThere = there.address(&moon)](std::size_t) {
        isRight = *mass == 2 && *letter == 'm' && *first == moonThere;
    });
    CHECK(isRight);
    Body other;
    CHECK_THROWS_AS(static_cast<void>(there.address(&other)), ferry::DeviceError);
}

namespace deviceuses {

struct Cell {
    double heat = 0;
    double* history = nullptr;
    int steps = 0;
    Cell* neighbour = nullptr;
    std::string label;
    FERRY_FIELDS(heat, ferry::arrayOf(history, steps), neighbour, label)
};
struct Grid {
    std::vector<Cell> cells;
    Cell* hottest = nullptr;
    double limit = 0;
    FERRY_FIELDS(cells, hottest, limit)
};
using HeatOfCell = ferry::View<&Cell::heat>;
using Heats = ferry::View<ferry::inside<&Grid::cells, HeatOfCell>, &Grid::limit>;

}    // namespace deviceuses

TEST_CASE("Device uses: a View shows one number of each element, and the rest is null there") {
    ferry::Device device = ferry::Device::host();
    Grid grid;
    grid.cells.resize(3);
    double history[2] = {1, 2};
    for (Cell& cell : grid.cells) cell = {1, history, 2, &grid.cells[0], "a label that is too long for its object"};
    grid.hottest = &grid.cells[1];
    auto there = device.copy(ferry::part<Heats>(grid));
    CHECK(there.objects() == 2);
    bool isLeftOut = true;
    device.run(3, [&isLeftOut, g = there.get()](std::size_t i) {
        if (g->cells[i].history != nullptr || g->cells[i].neighbour != nullptr || g->hottest != nullptr) isLeftOut = false;
        g->cells[i].heat += static_cast<double>(i);
    });
    CHECK(isLeftOut);
    grid.limit = 5;
    there.fetch();
    CHECK(grid.cells[2].heat == 3);
    CHECK(grid.cells[2].history == history);
    CHECK(grid.cells[1].label.size() == 39);
    CHECK(grid.hottest == &grid.cells[1]);
    CHECK(grid.limit == 0);
}

namespace deviceuses {

struct Swarm {
    int count = 0;
    Node* leader = nullptr;    // the first of all, and met before them
    Node* all = nullptr;
    int steps = 0;
    FERRY_FIELDS(leader, ferry::arrayOf(all, count), steps)
};
using AllOfSwarm = ferry::View<ferry::counted<ferry::CountedBy<&Swarm::count>, ferry::ArrayAt<&Swarm::all>>>;
using LeaderOfSwarm = ferry::View<ferry::inside<&Swarm::leader, ferry::View<&Node::value>>>;

}    // namespace deviceuses

TEST_CASE("Device uses: fetch<View>() of an array whose first element has a pointer of its own") {
    ferry::Device device = ferry::Device::host();
    std::vector<Node> nodes(5);
    for (Node& node : nodes) node.next = &nodes[0];
    Swarm swarm{5, &nodes[0], nodes.data(), 0};
    auto there = device.copy(swarm);
    CHECK(there.objects() == 2);
    device.run(5, [s = there.get()](std::size_t i) {
        s->all[i].value = 7;
        if (i == 0) s->steps = 1;
    });
    there.fetch<LeaderOfSwarm>();
    CHECK(nodes[0].value == 7);
    CHECK(nodes[4].value == 0);
    there.fetch<AllOfSwarm>();
    CHECK(nodes[4].value == 7);
    CHECK(swarm.steps == 0);
    there.fetch();
    CHECK(swarm.steps == 1);
}

TEST_CASE("Device uses: many objects share one array, which is copied once") {
    struct Wave {
        int count = 0;
        double* samples = nullptr;
    };
    using OfWave = ferry::View<ferry::counted<ferry::CountedBy<&Wave::count>, ferry::ArrayAt<&Wave::samples>>>;
    struct Waves {
        std::vector<Wave> all;
    };
    using OfWaves = ferry::View<ferry::inside<&Waves::all, OfWave>>;
    for (const std::size_t count : {std::size_t{3}, std::size_t{20'000}}) {
        ferry::Device device = ferry::Device::host();
        std::vector<double> samples(count, 1);
        Waves waves;
        waves.all.assign(1000, Wave{static_cast<int>(count), samples.data()});
        waves.all[500].count = 2;    // the beginning of it
        waves.all[700].samples = samples.data() + 1;
        waves.all[700].count = 1;
        auto there = device.copy(ferry::part<OfWaves>(waves));
        CHECK(there.objects() == 3);
        CHECK(there.bytes() == sizeof(Waves) + 1000 * sizeof(Wave) + count * sizeof(double));
        bool isOne = true;
        device.run(1, [&isOne, w = there.get()](std::size_t) {
            for (std::size_t i = 0; i < 1000; ++i) isOne &= w->all[i].samples == w->all[0].samples + (i == 700 ? 1 : 0);
            w->all[999].samples[1] = 5;
            w->all[500].samples = w->all[700].samples;    // with two elements
        });
        CHECK(isOne);
        there.fetch();
        CHECK(samples[1] == 5);
        CHECK(waves.all[500].samples == samples.data() + 1);
        CHECK(waves.all[4].samples == samples.data());
    }
}
