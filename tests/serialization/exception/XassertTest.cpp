#include <ferry/serialization/exception/xassert.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>
#include <ferry/tests/serialization/exception/AssertLevels.hpp>

namespace {

template <class F>
std::string failureOf(F f) {
    try {
        f();
    } catch (const ferry::AssertionFailure& failure) {
        return failure.what();
    }
    return "passed";
}

struct Unshowable {
    bool operator==(const Unshowable&) const { return false; }
};
enum class Colour { Red = 3, Blue };

std::vector<int> firstInts(int count) {
    std::vector<int> ints;
    for (int i = 0; i < count; ++i) ints.push_back(i);
    return ints;
}

constexpr int half(int number) {
    xassert(number % 2 == 0, "number {}", number);
    return number / 2;
}

}    // namespace

TEST_CASE("xassert: shows the expression, both values and the message") {
    const int seats = 31, capacity = 30;
    const std::string name = "B-12";
    CHECK(failureOf([&] { xassert(seats <= capacity, "room {}", name); }) == "xassert failed: seats <= capacity (31 <= 30): room B-12");
    CHECK(failureOf([&] { xassert(seats <= capacity); }) == "xassert failed: seats <= capacity (31 <= 30)");
    CHECK(failureOf([&] { xassert(seats > capacity, "room {}", name); }) == "passed");
}

TEST_CASE("xassert: notes file and line, and is a bug") {
    try {
        xassert(1 > 2, "a, {}", "b");
        FAIL("xassert returned");
    } catch (const ferry::AssertionFailure& failure) {
        CHECK(failure.expression == "1 > 2");
        CHECK(failure.values == "1 > 2");
        CHECK(failure.message == "a, b");
        CHECK(failure.file.find("XassertTest.cpp") != std::string::npos);
        CHECK(failure.origin().line == failure.line);
        CHECK(failure.line > 0);
        CHECK(failure.kind() == ferry::ErrorKind::Bug);
        CHECK(ferry::test::valueOf<ferry::AssertionFailure>(ferry::test::intsOf(failure)).message == "a, b");
    }
}

TEST_CASE("xassert: every comparison is taken apart") {
    const int a = 1, b = 2;
    CHECK(failureOf([&] { xassert(a == b); }) == "xassert failed: a == b (1 == 2)");
    CHECK(failureOf([&] { xassert(a != a + 0); }) == "xassert failed: a != a + 0 (1 != 1)");
    CHECK(failureOf([&] { xassert(b < a); }) == "xassert failed: b < a (2 < 1)");
    CHECK(failureOf([&] { xassert(a > b); }) == "xassert failed: a > b (1 > 2)");
    CHECK(failureOf([&] { xassert(a >= b); }) == "xassert failed: a >= b (1 >= 2)");
    CHECK(failureOf([&] { xassert(a + a == b + 1); }) == "xassert failed: a + a == b + 1 (2 == 3)");
    CHECK(failureOf([&] { xassert((a & b) == 2); }) == "xassert failed: (a & b) == 2 (0 == 2)");
    CHECK(failureOf([&] { xassert(firstInts(2).size() == 3); }) == "xassert failed: firstInts(2).size() == 3 (2 == 3)");
}

TEST_CASE("xassert: other conditions work too") {
    const bool yes = true, no = false;
    const std::unique_ptr<int> null;
    const int* const nothing = nullptr;
    CHECK(failureOf([&] { xassert(yes && no); }) == "xassert failed: yes && no");
    CHECK(failureOf([&] { xassert(no || no, "neither"); }) == "xassert failed: no || no: neither");
    CHECK(failureOf([&] { xassert(!yes); }) == "xassert failed: !yes");
    CHECK(failureOf([&] { xassert(no); }) == "xassert failed: no");
    CHECK(failureOf([&] { xassert(null); }) == "xassert failed: null (nullptr)");
    CHECK(failureOf([&] { xassert(nothing); }) == "xassert failed: nothing (nullptr)");
    CHECK(failureOf([&] { xassert(nothing != nullptr); }) == "xassert failed: nothing != nullptr (nullptr != nullptr)");
    CHECK(failureOf([&] { xassert(1 == 1 && yes); }) == "passed");
    CHECK(failureOf([&] { xassert(std::optional<int>()); }).find("xassert failed: std::optional<int>()") == 0);
    CHECK(failureOf([&] { xassert(4 & 3); }) == "xassert failed: 4 & 3 (0)");
}

TEST_CASE("xassert: values of all kinds are shown, long ones shortened, others as a question mark") {
    const std::string text = "ab";
    CHECK(failureOf([&] { xassert(text == "cd"); }) == "xassert failed: text == \"cd\" (\"ab\" == \"cd\")");
    CHECK(failureOf([&] { xassert('a' == 'b'); }) == "xassert failed: 'a' == 'b' ('a' == 'b')");
    CHECK(failureOf([&] { xassert(1.5 == 2.0f); }) == "xassert failed: 1.5 == 2.0f (1.5 == 2)");
    CHECK(failureOf([&] { xassert(Colour::Red == Colour::Blue); }) == "xassert failed: Colour::Red == Colour::Blue (3 == 4)");
    CHECK(failureOf([&] { xassert(Unshowable() == Unshowable()); }) == "xassert failed: Unshowable() == Unshowable() (? == ?)");
    CHECK(failureOf([&] { xassert(firstInts(2) == firstInts(1)); }) == "xassert failed: firstInts(2) == firstInts(1) ([0, 1] == [0])");
    CHECK(failureOf([&] { xassert(firstInts(12) == firstInts(0)); }) ==
          "xassert failed: firstInts(12) == firstInts(0) ([0, 1, 2, 3, 4, 5, 6, 7, ... 12 elements] == [])");
    const std::string longText(1000, 'x');
    CHECK(failureOf([&] { xassert(longText == "x"); }).size() < 400);
    CHECK(failureOf([&] { xassert(std::vector<bool>{true} == std::vector<bool>{}); }).find("([true] == [])") != std::string::npos);
}

TEST_CASE("xassert: the condition is evaluated once, the message only after a failure") {
    int conditions = 0, messages = 0;
    const auto condition = [&] { return ++conditions; };
    const auto message = [&] { return ++messages; };
    xassert(condition() == 1, "message {}", message());
    CHECK(conditions == 1);
    CHECK(messages == 0);
    CHECK_THROWS_AS(xassert(condition() == 1, "message {}", message()), ferry::AssertionFailure);
    CHECK(conditions == 2);
    CHECK(messages == 1);
}

TEST_CASE("xassert: works with structured bindings and in constexpr functions") {
    const std::map<std::string, int> map{{"a", -1}};
    for (const auto& [name, value] : map) {
        CHECK_THROWS_AS(xassert(value > 0, "{} is {}", name, value), ferry::AssertionFailure);
    }
    static_assert(half(4) == 2);
    CHECK_THROWS_AS(half(3), ferry::AssertionFailure);
}

TEST_CASE("xassert: levels choose what is checked, and what is off is not evaluated") {
    CHECK(ferry::test::checkedAtLevel0() == "");
    CHECK(ferry::test::checkedAtLevel1() == "light LIGHT ");
    CHECK(ferry::test::checkedAtLevel2() == "light normal LIGHT NORMAL ");
    CHECK(ferry::test::checkedAtLevel3() == "light normal heavy LIGHT NORMAL HEAVY ");
}
