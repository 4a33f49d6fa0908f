// A program whose own names are in the way of xassert and its sisters.
#define FERRY_NO_SHORT_NAMES
#include <ferry/objects.hpp>

#include <string>

#include <doctest/doctest.h>

namespace {

bool xassert(bool condition) { return condition; }
int xassertLight = 1;
int xassertHeavy = 2;

}    // namespace

TEST_CASE("FERRY_NO_SHORT_NAMES: the short names are free for the program") {
    CHECK(xassert(true));
    CHECK(xassertLight + xassertHeavy == 3);
}

TEST_CASE("FERRY_ASSERT: the failure shows the condition as it was written, with both values and the text") {
    const int seats = 31;
    const int capacity = 30;
    std::string text;
    try {
        FERRY_ASSERT(seats <= capacity, "room {}", "B-12");
    } catch (const ferry::AssertionFailure& failure) {
        text = failure.what();
    }
    CHECK(text == "xassert failed: seats <= capacity (31 <= 30): room B-12");
}
