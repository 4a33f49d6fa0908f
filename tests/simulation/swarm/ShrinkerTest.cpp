#include <ferry/tests/simulation/swarm/Shrinker.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/tests/simulation/TransportDecorator.hpp>
#include <ferry/tests/simulation/swarm/Swarm.hpp>

using namespace ferry;
using namespace ferry::test;

namespace shrinkertest {

/// The first case from this seed on that fails with the plant.
SwarmCase firstFailing(const SwarmPlant& plant) {
    for (std::uint64_t seed = 1; seed < 2000; ++seed) {
        const SwarmCase drawn = drawCase(seed);
        if (!problemsOf(drawn, plant).empty()) return drawn;
    }
    FAIL("no seed finds the planted fault");
    return {};
}

/// Changes the last int of each packet of more than 5000 ints.
class HarmsLargePackets final : public TransportDecorator {
public:
    using TransportDecorator::TransportDecorator;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        constexpr std::size_t large = 5000;
        if (ints.size() > large) {
            IntBuffer harmed;
            harmed.append(ints.ints());
            harmed.data()[harmed.size() - 1] += 1;
            ints = std::move(harmed);
        }
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
};

}    // namespace shrinkertest

using namespace shrinkertest;

TEST_CASE("Shrinker: a wrong reply of tasks from size 37 on shrinks to one task of size 37") {
    const SwarmPlant plant{.wrongFromSize = 37};
    const SwarmCase small = shrink(firstFailing(plant), [&](const SwarmCase& swarm) { return !problemsOf(swarm, plant).empty(); });
    CHECK(toCpp(small, "planted") ==
          "TEST_CASE(\"planted\") {\n"
          "    using namespace ferry::test;\n"
          "    SwarmCase swarm;\n"
          "    swarm.seed = 1;\n"
          "    swarm.ranks = 2;\n"
          "    swarm.job = {{.size = 37}};\n"
          "    const std::vector<std::string> problems = problemsOf(swarm);\n"
          "    REQUIRE_MESSAGE(problems.empty(), problems.front());\n}\n");
}

TEST_CASE("Shrinker: a transport that harms large packets is found, and two ranks with one step are enough") {
    const SwarmPlant plant{.decorate = [](std::unique_ptr<detail::Transport> inner) -> std::unique_ptr<detail::Transport> {
        return std::make_unique<HarmsLargePackets>(std::move(inner));
    }};
    const SwarmCase small = shrink(firstFailing(plant), [&](const SwarmCase& swarm) { return !problemsOf(swarm, plant).empty(); });
    CHECK(small.ranks == 2);
    CHECK(small.program.size() + small.job.size() == 1);
    CHECK(small.faults.empty());
}

TEST_CASE("Swarm: the same seed draws the same case, and a case has the same problems each time") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        CHECK(toCpp(drawCase(seed), "case") == toCpp(drawCase(seed), "case"));
        std::string first;
        std::string second;
        problemsOf(drawCase(seed), {.look = [&](const SimulationResult& result) { first += result.trace.text(); }});
        problemsOf(drawCase(seed), {.look = [&](const SimulationResult& result) { second += result.trace.text(); }});
        REQUIRE_MESSAGE(first == second, "seed ", seed);
    }
}
