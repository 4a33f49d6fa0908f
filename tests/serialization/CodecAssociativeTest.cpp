#include <ferry/serialization/codec/CodecAssociative.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
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

namespace {

using Comparison = bool (*)(int, int);
using Prices = std::map<int, int, Comparison>;

struct Shop {
    Prices prices{[](int left, int right) { return left > right; }};
};
struct EmptyShop {
    Prices prices;
};

struct SameBucket {
    std::size_t operator()(int) const { return 1; }
};

}    // namespace

TEST_CASE("CodecAssociative: an order with a state is that of the container which is read into") {
    Shop shop;
    shop.prices = {{1, 10}, {2, 20}};
    const Ints ints = intsOf(shop);
    CHECK(ints == Ints{2, 2, 20, 1, 10});
    Prices rising([](int left, int right) { return left < right; });
    ferry::IntReader in(ints);
    in >> rising;
    CHECK(rising.begin()->first == 1);
    CHECK(valueOf<std::vector<Shop>>({1, 2, 2, 20, 1, 10})[0].prices == shop.prices);
    std::set<int, std::function<bool(int, int)>> set([](int left, int right) { return left > right; });
    const Ints keys{2, 1, 2};
    ferry::IntReader setIn(keys);
    setIn >> set;
    CHECK(*set.begin() == 2);
    std::unordered_set<int, std::function<std::size_t(int)>> hashed(8, [](int key) { return static_cast<std::size_t>(key); });
    ferry::IntReader hashedIn(keys);
    hashedIn >> hashed;
    CHECK(hashed.count(2) == 1);
    const auto falling = [](int left, int right) { return left > right; };
    CHECK(*valueOf<std::set<int, decltype(falling)>>({2, 1, 2}).begin() == 2);
}

TEST_CASE("CodecAssociative: a null order is refused before it is called") {
    const Ints ints{1, 5, 6};
    EmptyShop shop;
    ferry::IntReader in(ints);
    CHECK_THROWS_AS(in >> shop, ferry::UsageError);
    std::unordered_map<int, int, std::function<std::size_t(int)>> map;
    ferry::IntReader mapIn(ints);
    CHECK_THROWS_AS(mapIn >> map, ferry::UsageError);
    CHECK_NOTHROW(valueOf<EmptyShop>({0}));
}

TEST_CASE("CodecAssociative: keys that crowd in a few buckets are refused") {
    constexpr int Count = 40'000;
    std::unordered_map<std::uint64_t, int> probe;
    for (int i = 0; i < Count; ++i) probe.emplace(static_cast<std::uint64_t>(i), 0);
    const auto messageOf = [](std::uint64_t step) {
        Ints ints{Count};
        for (std::uint64_t i = 0; i < Count; ++i) {
            const std::uint64_t key = step * i;
            ints.insert(ints.end(), {static_cast<std::int32_t>(key), static_cast<std::int32_t>(key >> 32), 0});
        }
        return ints;
    };
    using Map = std::unordered_map<std::uint64_t, int>;
    CHECK(errorOf<Map>(messageOf(probe.bucket_count())).find("keys that spread over their hash table") != std::string::npos);
    using Multimap = std::unordered_multimap<std::uint64_t, int>;
    CHECK(errorOf<Multimap>(messageOf(probe.bucket_count())).find("keys that spread over their hash table") != std::string::npos);
    for (const std::uint64_t step : {1, 2, 8, 1000, 4096, 65536}) {
        CAPTURE(step);
        CHECK(errorOf<Map>(messageOf(step)) == "no error");
    }
}

TEST_CASE("CodecAssociative: a bad hash and equal keys are accepted while they cost little") {
    Ints few{1000}, equal{20'000};
    for (int i = 0; i < 1000; ++i) few.push_back(i);
    for (int i = 0; i < 20'000; ++i) equal.push_back(7);
    CHECK(errorOf<std::unordered_set<int, SameBucket>>(few) == "no error");
    CHECK(errorOf<std::unordered_multiset<int>>(equal) == "no error");
}

TEST_CASE("CodecAssociative: values that cannot be moved are read in the map") {
    std::map<std::string, std::atomic<int>> counters;
    counters["a"] = 5;
    counters["b"] = 6;
    const Ints ints = intsOf(counters);
    CHECK(ints == Ints{2, 1, 'a', 5, 1, 'b', 6});
    std::map<std::string, std::atomic<int>> arrived;
    ferry::IntReader(ints) >> arrived;
    CHECK(arrived.size() == 2);
    CHECK(arrived["b"] == 6);
    std::unordered_multimap<int, std::atomic<int>> multimap;
    ferry::IntReader(Ints{2, 1, 5, 1, 6}) >> multimap;
    CHECK(multimap.size() == 2);
    CHECK(errorOf<std::map<std::string, std::atomic<int>>>({2, 1, 'a', 5, 1, 'a', 6}).find("keys") != std::string::npos);
    checkTruncated<std::map<std::string, std::atomic<int>>>(ints);
    checkDamaged<std::map<std::string, std::atomic<int>>>(ints);
}
