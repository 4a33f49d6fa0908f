// A sum over all ranks, again and again. When a rank dies, the others go on.
//     ferry run -np 4 build/release/bin/survivingSum kill      the last rank dies in the third round
//     build/release/bin/survivingSum                          the ranks are threads, and nobody dies
#include <csignal>
#include <cstdio>
#include <memory>
#include <string_view>

#include <ferry/examples/verbs/survivingSum.hpp>
#include <ferry/ferry.hpp>

int main(int argc, char** argv) {
    ferry::Application application(argc, argv, ferry::ThreadRanks{4});
    const bool kills = argc > 1 && std::string_view(argv[1]) == "kill";
    return application.runOnAll([kills](ferry::Connector& world) {
        std::shared_ptr<ferry::Connector> c(&world, [](ferry::Connector*) {});    // the first connector belongs to the program
        int sum = 0;
        for (int round = 0; round < 10; ++round) {
            if (kills && round == 2 && world.rank() == world.size() - 1) std::raise(SIGKILL);
            sum = verbs::survivingSum(c, 1);
        }
        if (c->isMaster()) std::printf("%d of %d ranks are left\n", sum, world.size());
        return sum == c->size() ? 0 : 1;
    });
}
