#include <ferry/serialization/CodecAssociative.hpp>

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry::test;

TEST_CASE("CodecAssociative: maps and sets travel in their order") {
    const std::map<std::string, int> map{{"a", 1}, {"b", 2}};
    CHECK(checkTravel(map, {2, 1, 'a', 1, 1, 'b', 2}) == map);
    const std::multimap<int, int> multimap{{1, 5}, {1, 4}};
    CHECK(checkTravel(multimap, {2, 1, 5, 1, 4}) == multimap);
    const std::set<int> set{3, 1};
    CHECK(checkTravel(set, {2, 1, 3}) == set);
    const std::multiset<int> multiset{1, 1};
    CHECK(checkTravel(multiset, {2, 1, 1}) == multiset);
    const std::map<int, std::vector<bool>> bits{{1, {true}}};
    CHECK(checkTravel(bits, {1, 1, 1, 1}) == bits);
}

TEST_CASE("CodecAssociative: unordered containers come back equal") {
    std::unordered_map<std::string, double> map;
    std::unordered_multiset<int> multiset;
    for (int i = 0; i < 1000; ++i) {
        map[std::to_string(i)] = i;
        multiset.insert(i / 2);
    }
    CHECK(valueOf<decltype(map)>(intsOf(map)) == map);
    CHECK(valueOf<decltype(multiset)>(intsOf(multiset)) == multiset);
    const std::unordered_set<int> one{7};
    CHECK(checkTravel(one, {1, 7}) == one);
    const std::unordered_multimap<int, int> pair{{1, 2}};
    CHECK(checkTravel(pair, {1, 1, 2}) == pair);
}

TEST_CASE("CodecAssociative: a key that comes twice is refused where keys are unique") {
    CHECK(errorOf<std::set<int>>({2, 5, 5}) == "int 0: expected 2 different keys, found 1");
    CHECK(errorOf<std::map<int, int>>({2, 5, 1, 5, 2}) == "int 0: expected 2 different keys, found 1");
    CHECK(errorOf<std::multiset<int>>({2, 5, 5}) == "no error");
}

TEST_CASE("CodecAssociative: counts that lie are refused") {
    CHECK_FALSE(errorOf<std::set<int>>({0x7fffffff, 1}) == "no error");
    CHECK(errorOf<std::map<int, int>>({2, 1, 1, 1}) == "int 0: expected a count of at most 1, found 2");
    CHECK_FALSE(errorOf<std::unordered_map<std::string, int>>({-1, 0, 1, 0}) == "no error");
}
