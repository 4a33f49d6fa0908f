// Ranks on a simulated network: prints "sum 6 on each of 4 ranks".
#include <atomic>
#include <cstdio>

#include <ferry/ferry.hpp>
#include <ferry/simulate.hpp>

int main() {
    std::atomic<int> right{0};
    ferry::simulate(4, 7, [&right](ferry::Connector& connector) {
        if (connector.allReduce(connector.rank(), ferry::Sum{}) == 6) ++right;
    });
    std::printf("sum 6 on each of %d ranks\n", right.load());
}
