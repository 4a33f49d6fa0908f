// Sorts random numbers that are distributed over all ranks.
//     mpirun -np 4 build/release/bin/sampleSort
//     build/release/bin/sampleSort                    the ranks are threads
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include <ferry/ferry.hpp>

#include <ferry/examples/verbs/sampleSort.hpp>

namespace {

constexpr std::size_t ownCount = 10'000;

std::vector<std::uint32_t> randomNumbers(int seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<std::uint32_t> numbers(ownCount);
    for (std::uint32_t& number : numbers) number = static_cast<std::uint32_t>(random());
    return numbers;
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application application(argc, argv, ferry::ThreadRanks{4});
    return application.runOnAll([](ferry::Connector& c) {
        const std::vector<std::uint32_t> mine = randomNumbers(c.rank());
        const std::vector<std::uint32_t> sorted = c.gather(verbs::sampleSort(c, mine));
        std::vector<std::uint32_t> expected = c.gather(mine);
        std::sort(expected.begin(), expected.end());
        const bool isRight = c.broadcast(sorted == expected);    // the result of the master's check
        if (c.isMaster()) std::printf("%zu numbers of %d ranks are %s\n", sorted.size(), c.size(), isRight ? "sorted" : "not sorted");
        return isRight ? 0 : 1;
    });
}
