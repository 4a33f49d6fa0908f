#include <ferry/connector/message/RegistryCheck.hpp>

#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// Connects ranks. All ranks know Ping, and the ranks in the list know Letterhead too. Returns each rank's error text or "connected".
std::vector<std::string> connect(int rankCount, const std::vector<int>& ranksWithLetterhead) {
    std::vector<std::string> told(static_cast<std::size_t>(rankCount));
    std::vector<std::thread> threads;
    for (auto& transport : detail::threadTransports(rankCount)) {
        threads.emplace_back([&, own = std::move(transport)]() mutable {
            const int rank = own->rank();
            ObjectFactory factory;
            factory.add<Ping>();
            for (const int with : ranksWithLetterhead) {
                if (with == rank) factory.add<Letterhead>();
            }
            try {
                Connector connector(std::move(own), factory);
                told[static_cast<std::size_t>(rank)] = "connected";
            } catch (const RegistryMismatch& mismatch) {
                told[static_cast<std::size_t>(rank)] = mismatch.what();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    return told;
}

}    // namespace

TEST_CASE("RegistryCheck: ranks with the same classes connect") {
    CHECK(connect(3, {}) == std::vector<std::string>(3, "connected"));
    CHECK(connect(3, {0, 1, 2}) == std::vector<std::string>(3, "connected"));
}

TEST_CASE("RegistryCheck: every rank is told which class differs, and where") {
    const std::string expected = "the ranks run different builds: class ferry::test::Letterhead is known on rank 2 but not on rank 0";
    CHECK(connect(4, {2}) == std::vector<std::string>(4, expected));
    const std::string two =
        "the ranks run different builds: class ferry::test::Letterhead is known on rank 0 but not on rank 1; "
        "class ferry::test::Letterhead is known on rank 0 but not on rank 2";
    CHECK(connect(3, {0}) == std::vector<std::string>(3, two));
}
