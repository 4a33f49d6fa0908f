// Every rank runs this program, and FERRY_TEST_DOOM says which ranks are lost and when.
//   survivorLoop SEED STEPS     does the steps of SurvivorSteps; each survivor prints the groups that it was in
#include <ferry/ferry.hpp>
#include <ferry/tests/framework/losses/Doom.hpp>
#include <ferry/tests/framework/survivors/SurvivorSteps.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
    ferry::Application app(argc, argv, ferry::ThreadRanks{4});
    const auto seed = static_cast<std::uint64_t>(argc > 1 ? std::atoll(argv[1]) : 1);
    const int stepCount = argc > 2 ? std::atoi(argv[2]) : 20;
    return app.runOnAll([&](ferry::Connector& world) {
        ferry::test::Doom doom(world.rank());
        const auto history = ferry::test::endureSteps(world, seed, stepCount, [&doom](const char* point) { doom.reach(point); });
        std::string text = "rank " + std::to_string(world.rank()) + ":";
        for (const std::vector<int>& members : history) {
            for (const int member : members) text += " " + std::to_string(member);
            text += ";";
        }
        std::printf("%s\n", text.c_str());
    });
}
