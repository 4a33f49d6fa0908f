// Each rank has a vector of its own length. One line gives every rank all the vectors.
//     mpirun -np 4 build/release/bin/vectorAllGather
//     build/release/bin/vectorAllGather               the ranks are threads
#include <cstdio>
#include <vector>

#include <ferry/ferry.hpp>

int main(int argc, char** argv) {
    ferry::Application application(argc, argv, ferry::ThreadRanks{4});
    return application.runOnAll([](ferry::Connector& c) {
        const std::vector<int> mine(c.rank(), c.rank());
        const std::vector<int> all = c.allGather(mine);    // this is the one line

        std::vector<int> expected;
        for (int rank = 0; rank < c.size(); ++rank) expected.insert(expected.end(), rank, rank);
        const bool isRight = c.allReduce(all == expected, ferry::And{});
        if (c.isMaster()) std::printf("%zu numbers of %d ranks are %s\n", all.size(), c.size(), isRight ? "right" : "wrong");
        return isRight ? 0 : 1;
    });
}
