#include <ferry/connector/transport/ThreadHostTeam.hpp>

#include <array>
#include <cstddef>

#include <doctest/doctest.h>

#include <ferry/tests/support/Together.hpp>

TEST_CASE("ThreadHost: ranks that ask for the shared memory at the same time get the same memory") {
    constexpr int rankCount = 4;
    for (int round = 0; round < 200; ++round) {
        ferry::detail::ThreadHost host(rankCount);
        std::array<std::byte*, rankCount> begins{};
        ferry::test::runTogether(rankCount, [&](int rank) {
            const auto memory = host.memory(1 << 16);
            if (memory.size() == 1 << 16) begins[static_cast<std::size_t>(rank)] = memory.data();
        });
        REQUIRE(begins.front() != nullptr);
        for (const std::byte* begin : begins) CHECK(begin == begins.front());
    }
}
