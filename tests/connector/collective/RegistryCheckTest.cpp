#include <ferry/connector/collective/RegistryCheck.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/RegistryMismatch.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/connector/transport/simulation/Simulation.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/simulation/TransportDecorator.hpp>

using namespace ferry;
using namespace ferry::test;

namespace registrychecktest {

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

/// Counts the letters that its rank sends.
class CountingTransport : public TransportDecorator {
public:
    CountingTransport(std::unique_ptr<detail::Transport> inner, int& sent) : TransportDecorator(std::move(inner)), sent_(sent) {}
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        ++sent_;
        TransportDecorator::startSend(to, channel, std::move(ints));
    }

private:
    int& sent_;
};

}    // namespace registrychecktest

using namespace registrychecktest;

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

TEST_CASE("RegistryCheck: ranks that differ anywhere in the tree are found, also when they are equal among themselves") {
    const std::string start = "the ranks run different builds: class ferry::test::Letterhead is known on rank ";
    for (int with = 1; with < 13; ++with) {
        const std::string expected = start + std::to_string(with) + " but not on rank 0";
        CHECK(connect(13, {with}) == std::vector<std::string>(13, expected));
    }
    const std::string two = start + "8 but not on rank 0; class ferry::test::Letterhead is known on rank 9 but not on rank 0";
    CHECK(connect(10, {8, 9}) == std::vector<std::string>(10, two));    // 9 is below 8 in the tree
}

TEST_CASE("RegistryCheck: no rank sends more letters than the tree has levels") {
    for (const int rankCount : {1, 2, 3, 64, 100}) {
        CAPTURE(rankCount);
        std::vector<int> sent(static_cast<std::size_t>(rankCount));
        SimulationOptions options;
        options.decorate = [&sent](std::unique_ptr<detail::Transport> transport) -> std::unique_ptr<detail::Transport> {
            const auto rank = static_cast<std::size_t>(transport->rank());
            return std::make_unique<CountingTransport>(std::move(transport), sent[rank]);
        };
        detail::Simulation simulation(rankCount, options);
        simulation.run([&](int rank) { const Connector connector(simulation.transport(rank)); });
        int levels = 0;
        while ((1 << levels) < rankCount) ++levels;
        CHECK(*std::max_element(sent.begin(), sent.end()) == levels);
        CHECK(std::accumulate(sent.begin(), sent.end(), 0) == 2 * (rankCount - 1));
    }
}
