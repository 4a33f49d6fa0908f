#include <array>
#include <chrono>
#include <complex>
#include <cstring>
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

// Standard types in kernels, with the same type as on the host.

namespace devicetypes {    // clang cannot take apart plain structs of an unnamed namespace that hold an optional of another one

struct Leaf {
    int number = 0;
    std::vector<double> values;
    FERRY_FIELDS(number, values)
};

enum class Colour { Red, Green };

struct Many {
    std::vector<int> numbers;
    std::vector<std::vector<double>> nested;
    std::vector<Leaf> leaves;
    std::array<int, 3> fixed{};
    std::array<std::string, 2> texts;
    double plain[4] = {};
    std::span<double> span;
    std::optional<int> maybe;
    std::optional<std::string> maybeText;
    std::optional<Leaf> none;
    std::string shortText;
    std::string longText;
    std::string_view view;
    std::variant<int, std::string> variant;
    std::variant<int, double> flatVariant;
    std::pair<int, std::string> pair;
    std::tuple<double, std::vector<int>, char> tuple;
    std::complex<double> complex;
    std::chrono::milliseconds duration{};
    std::chrono::system_clock::time_point time{};
    std::unique_ptr<Leaf> owned;
    Colour colour = Colour::Red;
    bool flag = false;
};

struct Holder {
    std::variant<int, std::string> variant;
    std::optional<std::string> text;
};

void fill(Many& many, std::vector<double>& outside) {
    many.numbers = {1, 2, 3};
    many.nested = {{1}, {}, {2, 3}};
    many.leaves = {{1, {1.5}}, {2, {}}};
    many.fixed = {4, 5, 6};
    many.texts = {"short", std::string(40, 'l')};
    std::iota(std::begin(many.plain), std::end(many.plain), 0.5);
    many.span = outside;
    many.maybe = 7;
    many.maybeText = std::string(50, 'm');
    many.shortText = "abc";
    many.longText = std::string(100, 'x');
    many.view = "a text of the program";
    many.variant = std::string(30, 'v');
    many.flatVariant = 2.5;
    many.pair = {8, std::string(20, 'p')};
    many.tuple = {1.25, {9, 10}, 'c'};
    many.complex = {1, -1};
    many.duration = std::chrono::milliseconds(5);
    many.time = std::chrono::system_clock::time_point(std::chrono::seconds(11));
    many.owned = std::make_unique<Leaf>(Leaf{12, {13}});
    many.colour = Colour::Green;
    many.flag = true;
}

bool isAsFilled(const Many& m) {
    return m.numbers == std::vector{1, 2, 3} && m.nested.size() == 3 && m.nested[1].empty() && m.nested[2][1] == 3 &&
           m.leaves.size() == 2 && m.leaves[0].values[0] == 1.5 && m.leaves[1].number == 2 && m.fixed[2] == 6 && m.texts[0] == "short" &&
           m.texts[1].size() == 40 && m.texts[1][39] == 'l' && m.plain[3] == 3.5 && m.span.size() == 2 && m.span[1] == 22 && m.maybe == 7 &&
           m.maybeText->size() == 50 && m.maybeText->back() == 'm' && !m.none.has_value() && m.shortText == "abc" &&
           m.shortText.c_str()[3] == 0 && m.longText == std::string(100, 'x') && m.longText.c_str()[100] == 0 &&
           m.view == "a text of the program" && std::get<std::string>(m.variant).size() == 30 && std::get<double>(m.flatVariant) == 2.5 &&
           m.pair.first == 8 && m.pair.second.back() == 'p' && std::get<1>(m.tuple)[1] == 10 && std::get<2>(m.tuple) == 'c' &&
           m.complex.imag() == -1 && m.duration.count() == 5 && m.time.time_since_epoch() == std::chrono::seconds(11) &&
           m.owned->number == 12 && m.owned->values[0] == 13 && m.colour == Colour::Green && m.flag;
}

}    // namespace devicetypes

using namespace devicetypes;

TEST_CASE("Device types: standard types have their values in a kernel") {
    ferry::Device device = ferry::Device::host();
    std::vector<double> outside{21, 22};
    Many many;
    fill(many, outside);
    auto there = device.copy(many);
    CHECK(device.transfers().toDevice == 1);
    bool isRight = false;
    device.run(1, [&isRight, m = there.get()](std::size_t) { isRight = isAsFilled(*m); });
    CHECK(isRight);
    there.fetch();
    CHECK(isAsFilled(many));
    there.update();
    device.run(1, [&isRight, m = there.get()](std::size_t) { isRight = isAsFilled(*m); });
    CHECK(isRight);
}

TEST_CASE("Device types: spans of fixed length and constant elements") {
    struct Spans {
        std::span<int, 2> two;
        std::span<const int> all;
    };
    ferry::Device device = ferry::Device::host();
    std::vector<int> values{1, 2, 3, 4};
    Spans spans{std::span<int, 2>(values.data(), 2), values};
    auto there = device.copy(spans);
    CHECK(there.objects() == 2);
    device.run(1, [s = there.get()](std::size_t) { s->two[1] = s->all[3] * 10 + (s->two.data() == s->all.data() ? 1 : 0); });
    there.fetch();
    CHECK(values[1] == 41);
}

TEST_CASE("Device types: values that a kernel changes come back") {
    ferry::Device device = ferry::Device::host();
    std::vector<double> outside{21, 22};
    Many many;
    fill(many, outside);
    const double* data = many.nested[2].data();
    auto there = device.copy(many);
    device.run(1, [m = there.get()](std::size_t) {
        m->numbers[1] = 20;
        m->nested[2][0] = 30;
        m->leaves[0].values[0] = 40;
        m->span[0] = 50;
        m->maybe.reset();
        (*m->maybeText)[0] = 'M';
        m->shortText[1] = 'B';
        m->longText[99] = 'y';
        std::get<std::string>(m->variant)[0] = 'V';
        m->flatVariant = 3;
        std::get<1>(m->tuple)[0] = 60;
        m->owned->values[0] = 70;
        m->flag = false;
    });
    there.fetch();
    CHECK(many.numbers == std::vector{1, 20, 3});
    CHECK(many.nested[2][0] == 30);
    CHECK(many.nested[2].data() == data);
    CHECK(many.leaves[0].values[0] == 40);
    CHECK(outside[0] == 50);
    CHECK(!many.maybe.has_value());
    CHECK((*many.maybeText)[0] == 'M');
    CHECK(many.shortText == "aBc");
    CHECK(many.longText[99] == 'y');
    CHECK(std::get<std::string>(many.variant)[0] == 'V');
    CHECK(std::get<int>(many.flatVariant) == 3);
    CHECK(std::get<1>(many.tuple)[0] == 60);
    CHECK(many.owned->values[0] == 70);
    CHECK(!many.flag);
    many.numbers.push_back(4);    // the vectors still own their memory
}

TEST_CASE("Device types: an element that a host's vector got takes a new shape to the device with update()") {
    ferry::Device device = ferry::Device::host();
    Leaf leaf{1, {1, 2}};
    auto there = device.copy(leaf);
    leaf.values.push_back(3);
    CHECK_THROWS_AS(there.fetch(), ferry::UsageError);
    there.update();
    double sum = 0;
    device.run(1, [&sum, l = there.get()](std::size_t) { sum = std::accumulate(l->values.begin(), l->values.end(), 0.0); });
    CHECK(sum == 6);
    there.fetch();
    CHECK(leaf.values == std::vector<double>{1, 2, 3});
}

TEST_CASE("Device types: a kernel that changes the alternative of a variant with text is told") {
    ferry::Device device = ferry::Device::host();
    Holder holder{"text", "more"};
    auto there = device.copy(holder);
    device.run(1, [h = there.get()](std::size_t) { std::memset(static_cast<void*>(&h->text), 0, sizeof h->text); });
    try {
        there.fetch();
        FAIL("a changed optional came back");
    } catch (const ferry::DeviceError& e) {
        CHECK(e.problem() == ferry::DeviceProblem::ChangedShape);
        CHECK(std::string(e.what()).find("the second field") != std::string::npos);
    }
    CHECK(holder.text == "more");
}

namespace {

class Shape {
public:
    explicit Shape(int edges_) : edges(edges_) {}
    virtual ~Shape() = default;
    virtual int area() const { return edges; }
    int edges = 0;
    std::vector<int> lengths;
};
using ShapeData = ferry::View<&Shape::edges, &Shape::lengths>;

struct Base {
    int number = 1;
    std::vector<int> values;
    FERRY_FIELDS(number, values)
};
struct Derived : Base {
    double more = 2;
    FERRY_FIELDS_AFTER(Base, more)
};

}    // namespace

TEST_CASE("Device types: a View shows the data of a class with virtual functions") {
    ferry::Device device = ferry::Device::host();
    Shape shape(4);
    shape.lengths = {1, 2, 3};
    auto there = device.copy(ferry::part<ShapeData>(shape));
    bool hasTable = true;
    device.run(1, [&hasTable, s = there.get()](std::size_t) {
        void* table = nullptr;
        std::memcpy(&table, static_cast<const void*>(s), sizeof table);
        hasTable = table != nullptr;
        s->edges = s->lengths[2];
    });
    CHECK(!hasTable);    // the table of virtual functions is the host's
    there.fetch();
    CHECK(shape.edges == 3);
    CHECK(shape.area() == 3);
}

TEST_CASE("Device types: a base class goes with its class") {
    ferry::Device device = ferry::Device::host();
    Derived object;
    object.values = {5, 6};
    auto there = device.copy(object);
    device.run(1, [o = there.get()](std::size_t) { o->more = o->values[1] + o->number; });
    there.fetch();
    CHECK(object.more == 7);
}

namespace {

class Cached {
public:
    FERRY_FIELDS_SOME(number)
    int number = 3;
    int* cache = &number;    // stays behind
};

}    // namespace

TEST_CASE("Device types: members that FERRY_FIELDS_SOME leaves out are zero on the device, and stay on the host") {
    ferry::Device device = ferry::Device::host();
    std::vector<Cached> several(3);
    struct Outer {
        std::vector<Cached>* cached;
    } outer{&several};
    auto there = device.copy(outer);
    int pointers = 0;
    device.run(1, [&pointers, o = there.get()](std::size_t) {
        for (Cached& cached : *o->cached) {
            if (cached.cache != nullptr) ++pointers;
            cached.number = 8;
        }
    });
    CHECK(pointers == 0);
    there.fetch();
    CHECK(several[2].number == 8);
    CHECK(several[0].cache != nullptr);
}

namespace devicetypes {

struct Particle {
    float x = 0;
    float y = 0;
    int cell = 0;    // of the host alone
    FERRY_FIELDS_SOME(x, y)
};
struct Cloud {
    std::vector<Particle> particles;
    std::array<std::pair<Particle, int>, 2> pairs;
    std::optional<Particle> maybe;
};
struct Keeper {
    Leaf kept;    // not listed
    Leaf* lead = nullptr;
    std::vector<Leaf> leaves;
    FERRY_FIELDS_SOME(lead, leaves)
};

}    // namespace devicetypes

TEST_CASE("Device types: small members that FERRY_FIELDS_SOME leaves out are zero on the device, and stay on the host") {
    ferry::Device device = ferry::Device::host({.threads = 1});
    Cloud cloud;
    cloud.particles.resize(2);
    cloud.maybe.emplace();
    const auto setCells = [&cloud](int cell) { cloud.particles[1].cell = cloud.pairs[1].first.cell = cloud.maybe->cell = cell; };
    setCells(3);
    auto there = device.copy(cloud);
    int cells = -1;
    device.run(1, [&cells, c = there.get()](std::size_t) {
        cells = c->particles[1].cell + c->pairs[1].first.cell + c->maybe->cell;
        c->particles[1].x = c->pairs[1].first.x = c->maybe->x = 2;
    });
    CHECK(cells == 0);
    setCells(7);
    there.fetch();
    CHECK(cloud.particles[1].x + cloud.pairs[1].first.x + cloud.maybe->x == 6);
    CHECK(cloud.particles[1].cell + cloud.pairs[1].first.cell + cloud.maybe->cell == 21);
}

TEST_CASE("Device types: a pointer to a member that FERRY_FIELDS_SOME leaves out leads to a copy of the member") {
    ferry::Device device = ferry::Device::host({.threads = 1});
    Keeper keeper;
    keeper.kept = {5, {1}};
    keeper.lead = &keeper.kept;
    keeper.leaves.resize(1);    // leaves may lie inside of others
    auto there = device.copy(keeper);
    int number = 0;
    device.run(1, [&number, k = there.get()](std::size_t) { number = k->lead->number++; });
    CHECK(number == 5);
    there.fetch();
    CHECK(keeper.kept.number == 6);
}

namespace devicetypes {

struct Gauge {
    double& value;
    FERRY_DEVICE_FIELDS(value)
};
struct Meter {
    const double& value;
    std::vector<int> counts;
    FERRY_DEVICE_FIELDS(value, counts)
};
struct PlainGauge {
    int number;
    double& value;
};
struct Rows {
    static inline int count = 2;
    int* numbers = nullptr;
    FERRY_DEVICE_FIELDS(ferry::arrayOf(numbers, count))
};
struct Fixed {
    const int count = 2;
    int* numbers = nullptr;
    mutable int calls = 0;
    FERRY_DEVICE_FIELDS(ferry::arrayOf(numbers, count), calls)
};

template <class T>
void checkOutside(ferry::Device& device, T object, const char* member) {
    std::vector<T> several{object};
    CHECK_THROWS_WITH_AS(static_cast<void>(device.copy(several)), doctest::Contains(member), ferry::UsageError);
    CHECK_THROWS_WITH_AS(static_cast<void>(device.copy(object)), doctest::Contains("make it a pointer or a member"), ferry::UsageError);
}

}    // namespace devicetypes

TEST_CASE("Device types: a reference and a static member among the fields are refused by name, and constant members are none") {
    ferry::Device device = ferry::Device::host({.threads = 1});
    double value = 1;
    int numbers[2] = {1, 2};
    checkOutside(device, Gauge{value}, "Gauge::value");
    checkOutside(device, Meter{value, {}}, "Meter::value");
    checkOutside(device, PlainGauge{1, value}, "PlainGauge::the second field");
    checkOutside(device, Rows{numbers}, "Rows::ferry::arrayOf(numbers, count)");
    Fixed fixed;
    fixed.numbers = numbers;
    auto there = device.copy(fixed);
    device.run(1, [f = there.get()](std::size_t) {
        f->numbers[1] = f->count + 3;
        f->calls = 4;
    });
    there.fetch();
    CHECK(numbers[1] == 5);
    CHECK(fixed.calls == 4);
}

namespace devicetypes {

struct Unaddressable {    // takes no address by operator&
    int number = 0;
    void operator&() const = delete;
};
struct UnaddressableRoot {
    Unaddressable one;
    Unaddressable row[2];
    Unaddressable* array = nullptr;
    int count = 0;
    std::vector<Unaddressable> several;
    std::optional<Unaddressable> maybe;
    UnaddressableRoot* self = nullptr;
    FERRY_FIELDS(one, row, ferry::arrayOf(array, count), several, maybe, self)
    void operator&() const = delete;
};
using OneAndSelf = ferry::View<&UnaddressableRoot::one, &UnaddressableRoot::self>;

}    // namespace devicetypes

TEST_CASE("Device types: classes whose operator& must not be called are copied and come back") {
    ferry::Device device = ferry::Device::host();
    Unaddressable array[3];
    UnaddressableRoot root;
    root.array = array;
    root.count = 3;
    root.several.resize(4);
    root.maybe.emplace();
    root.self = std::addressof(root);
    auto there = device.copy(root);
    device.run(1, [r = there.get()](std::size_t) {
        r->self->one.number = 1;
        r->row[1].number = 2;
        r->array[2].number = 3;
        r->several[3].number = 4;
        r->maybe->number = 5;
    });
    there.fetch();
    CHECK(root.one.number == 1);
    CHECK(root.row[1].number == 2);
    CHECK(array[2].number == 3);
    CHECK(root.several[3].number == 4);
    CHECK(root.maybe->number == 5);

    root.self = nullptr;    // one View shows each object
    auto part = device.copy(ferry::part<OneAndSelf>(root));
    device.run(1, [r = part.get()](std::size_t) { r->one.number = 6; });
    part.fetch();
    CHECK(root.one.number == 6);
}
