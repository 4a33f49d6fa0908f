#include <ferry/connector/transport/Fault.hpp>

#include <cstdint>
#include <set>

#include <doctest/doctest.h>

using namespace ferry;

TEST_CASE("Fault: seeds choose every kind, every rank and every call") {
    std::set<Fault::Kind> kinds;
    std::set<int> ranks;
    std::set<std::uint64_t> calls;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Fault fault = faultFromSeed(seed, 3, 5);
        kinds.insert(fault.kind);
        ranks.insert(fault.rank);
        calls.insert(fault.atCall);
        CHECK(faultFromSeed(seed, 3, 5).atCall == fault.atCall);
    }
    CHECK(kinds.size() == 3);
    CHECK(ranks == std::set<int>{0, 1, 2});
    CHECK(calls == std::set<std::uint64_t>{1, 2, 3, 4, 5});
}
