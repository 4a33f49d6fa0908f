#include <ferry/apps/timetabling/search/Matching.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace timetabling;

TEST_CASE("Matching: items change places to make room for one more, and items with too few places are named") {
    Matching matching(4);
    CHECK(matching.add(0, std::vector{0, 1}));
    CHECK(matching.add(1, std::vector{0}));
    CHECK(matching.add(5, std::vector{3}));
    CHECK_FALSE(matching.add(2, std::vector{0, 1}));
    CHECK(matching.rivals() == std::vector{0, 1, 2});
    CHECK(matching.add(3, std::vector{2, 0}));
    CHECK_FALSE(matching.add(4, std::vector<int>{}));
    CHECK(matching.rivals() == std::vector{4});
}
