#include <array>
#include <chrono>
#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <ferry/tests/device/runtimes/Runners.hpp>

#ifdef FERRY_TEST_OPENCL

// Standard types in kernels in OpenCL C, which sees their members.

namespace openclTypes {

enum class Colour : short { Red, Green };

struct Base {
    int first = 1;
    FERRY_FIELDS(first)
};
struct Leaf : Base {
    std::vector<double> values;
    FERRY_FIELDS_AFTER(Base, values)
};
struct Plain {    // without names
    int number = 0;
    double real = 0;
};
struct Borrowed {
    std::span<double> span;
    std::string_view view;
    std::span<double, 2> two;
};

class Cached {
public:
    FERRY_FIELDS_SOME(number)
    int* cache = nullptr;    // stays behind
    int number = 3;
};

struct Many {
    char letter = 'a';
    std::vector<int> numbers;
    std::vector<std::vector<double>> nested;
    std::vector<Leaf> leaves;
    std::array<int, 3> fixed{};
    std::array<std::array<short, 2>, 3> table{};
    double plain[4] = {};
    std::optional<int> maybe;
    std::optional<Leaf> none;
    std::string shortText;
    std::string longText;
    std::variant<int, std::string> variant;
    std::pair<char, double> pair;
    std::tuple<double, int, char> tuple;
    std::complex<double> complex;
    std::chrono::milliseconds duration{};
    std::unique_ptr<Leaf> owned;
    Colour colour = Colour::Red;
    bool flag = false;
    Plain simple;
    Cached cached;
    Many* self = nullptr;
    Many** pointers = nullptr;
    int pointerCount = 0;
    FERRY_FIELDS(letter, numbers, nested, leaves, fixed, table, plain, maybe, none, shortText, longText, variant, pair, tuple, complex,
                 duration, owned, colour, flag, simple, cached, self, ferry::arrayOf(pointers, pointerCount))
};

}    // namespace openclTypes

using namespace openclTypes;

TEST_CASE("Device OpenCL: standard types have their values in a kernel, and changes come back") {
    ferry::Device device = ferry::Device::openCl();
    auto program = device.program<Many>(R"(
        kernel void use(global Many* m) {
            xassert(m->letter == 'a');
            xassert(m->numbers.end - m->numbers.data == 3);
            xassert(m->numbers.data[2] == 3);
            xassert(m->nested.data[2].data[1] == 3);
            xassert(m->nested.data[1].data == m->nested.data[1].end);
            xassert(m->leaves.data[1].first == 5);
            xassert(m->leaves.data[0].values.data[0] == 1.5);
            xassert(m->fixed[2] == 6);
            xassert(m->table[2][1] == 9);
            xassert(m->plain[3] == 3.5);
            xassert(m->maybe.hasValue == 1);
            xassert(m->maybe.value == 7);
            xassert(m->none.hasValue == 0);
            xassert(m->shortText.size == 3);
            xassert(m->shortText.data[2] == 'c');
            xassert(m->longText.data[99] == 'x');
            xassert(m->pair.second == 2.5);
            xassert(m->tuple.value0 == 1.25);
            xassert(m->tuple.value2 == 'c');
            xassert(m->complex.imag == -1);
            xassert(m->duration == 5);
            xassert(m->owned->values.data[0] == 13);
            xassert(m->colour == 1);
            xassert(m->flag == 1);
            xassert(m->simple.field2 == 4.5);
            xassert(m->cached.number == 3);
            xassert(m->self == m);
            xassert(m->pointers[1] == m);
            xassert(m->pointers[0] == 0);
            m->numbers.data[1] = 20;
            m->nested.data[2].data[0] = 30;
            m->owned->first = 40;
            m->shortText.data[1] = 'B';
            m->complex.real = 50;
            m->flag = 0;
        })");
    Many many;
    Many* pointers[2] = {nullptr, &many};
    many.numbers = {1, 2, 3};
    many.nested = {{1}, {}, {2, 3}};
    many.leaves.resize(2);
    many.leaves[0].values = {1.5};
    many.leaves[1].first = 5;
    many.fixed = {4, 5, 6};
    many.table[2][1] = 9;
    many.plain[3] = 3.5;
    many.maybe = 7;
    many.shortText = "abc";
    many.longText = std::string(100, 'x');
    many.variant = std::string(30, 'v');
    many.pair = {'p', 2.5};
    many.tuple = {1.25, 9, 'c'};
    many.complex = {1, -1};
    many.duration = std::chrono::milliseconds(5);
    many.owned = std::make_unique<Leaf>();
    many.owned->values = {13};
    many.colour = Colour::Green;
    many.flag = true;
    many.simple.real = 4.5;
    many.self = &many;
    many.pointers = pointers;
    many.pointerCount = 2;
    auto there = device.copy(many);
    program.launch("use", {1}, there);
    there.fetch();
    CHECK(many.numbers == std::vector{1, 20, 3});
    CHECK(many.nested[2][0] == 30);
    CHECK(many.owned->first == 40);
    CHECK(many.shortText == "aBc");
    CHECK(many.complex.real() == 50);
    CHECK(!many.flag);
    CHECK(many.self == &many);
    CHECK(std::get<std::string>(many.variant) == std::string(30, 'v'));
}

TEST_CASE("Device OpenCL: members of a plain struct are numbered, and spans and views lead to arrays") {
    ferry::Device device = ferry::Device::openCl();
    auto program = device.program<Borrowed>(R"(
        kernel void use(global Borrowed* b) {
            xassert(b->field1.size == 3);
            xassert(b->field2.data[0] == 'v');
            xassert(b->field2.size == 4);
            b->field1.data[1] = b->field3.data[1] + 1;
        })");
    std::vector<double> outside{21, 22, 23};
    Borrowed borrowed{outside, "view", std::span<double, 2>(outside.data(), 2)};
    auto there = device.copy(borrowed);
    program.launch("use", {1}, there);
    there.fetch();
    CHECK(outside[1] == 23);
}

namespace {

namespace left {
struct Same {
    int number = 0;
    FERRY_FIELDS(number)
};
}    // namespace left
namespace right {
struct Same {
    int number = 0;
    FERRY_FIELDS(number)
};
}    // namespace right

}    // namespace

TEST_CASE("Device OpenCL: two types with one name are refused") {
    ferry::Device device = ferry::Device::openCl();
    CHECK_THROWS_AS((device.program<left::Same, right::Same>("kernel void k() {}")), ferry::UsageError);
    CHECK_NOTHROW((device.program<left::Same, left::Same>("kernel void k() {}")));
}

#endif
