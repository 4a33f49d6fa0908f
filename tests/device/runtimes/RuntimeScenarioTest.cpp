#include <algorithm>

#include <ferry/benchmarks/device/Scenarios.hpp>
#include <ferry/tests/device/runtimes/Runners.hpp>

// The structures of the paper on each runtime.

namespace runtimescenarios {

using ferry::bench::Dense;
using ferry::bench::DenseTree;
using ferry::bench::Linear;
using ferry::bench::LinearChain;

using Dense_3 = Dense<3>;    // as kernels call it

FERRY_TEST_KERNEL(
    scaleAll, Linear, GLOBAL Linear* node = it; while (node) {
        node->array[i] *= 2;
        node = node->next;
    })
FERRY_TEST_KERNEL(scaleEnd, Linear, GLOBAL Linear* node = it; while (node->next) node = node->next; node->array[i] *= 3;)
FERRY_TEST_KERNEL(scaleDense, Dense_3, it->array[i] *= 2; it->children[it->childCount - 1].array[i] *= 2;
                  it->children[it->childCount - 1].children[it->childCount - 1].array[i] *= 2;
                  it->children[it->childCount - 1].children[it->childCount - 1].children[it->childCount - 1].array[i] *= 2;)

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t MostElements = 100'000;
#else
constexpr std::size_t MostElements = 1'000'000;
#endif

}    // namespace runtimescenarios

using namespace runtimescenarios;
using namespace ferry::test;

TEST_CASE_TEMPLATE("Device runtimes: Linear scenario, all arrays", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    on.template prepare<scaleAll>();
    for (std::size_t n = 100; n <= MostElements; n *= 10) {
        for (std::size_t levels = 2; levels <= 10; levels += n > 10'000 ? 4 : 1) {
            LinearChain chain(levels, n, true);
            auto there = on.device.copy(chain.root());
            CHECK(there.bytes() == ferry::bench::linearBytes(levels, n, true));
            on.template run<scaleAll>(there, n);
            there.fetch();
            bool isRight = true;
            for (std::size_t level = 0; level < levels; ++level) {
                const Linear& node = chain.nodes()[level];
                isRight &=
                    std::all_of(node.array, node.array + n, [&](double value) { return value == 2 * static_cast<double>(level + 1); });
            }
            CHECK(isRight);
        }
    }
}

TEST_CASE_TEMPLATE("Device runtimes: Linear scenario, the last array by a View", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    for (const bool hasAllArrays : {true, false}) {
        for (std::size_t n = 100; n <= MostElements; n *= 100) {
            LinearChain chain(10, n, hasAllArrays);
            auto there = on.device.copy(ferry::part<ferry::bench::LinearPath<10>>(chain.root()));
            CHECK(there.bytes() == ferry::bench::linearBytes(10, n, false));
            on.template run<scaleEnd>(there, n);
            there.fetch();
            const Linear& last = chain.nodes().back();
            CHECK(std::all_of(last.array, last.array + n, [](double value) { return value == 30; }));
            if (hasAllArrays) CHECK(chain.root().array[0] == 1);
        }
    }
}

TEST_CASE_TEMPLATE("Device runtimes: Dense scenario", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    on.template prepare<scaleDense>();
    for (const std::size_t q : {2, 4, 6, 8, 10, 12, 14, 16}) {
        for (std::size_t n = 10; n <= 10'000; n *= 10) {
            if (n * q * q * q > 10 * MostElements) continue;
            CAPTURE(q);
            CAPTURE(n);
            DenseTree tree(q, n);
            const double before = sumOf(tree.root());
            const std::size_t transfers = on.device.transfers().toDevice;
            auto there = on.device.copy(tree.root());
            CHECK(on.device.transfers().toDevice == transfers + 1);
            CHECK(there.bytes() == ferry::bench::denseBytes(q, n, DenseTree::Depth));
            on.template run<scaleDense>(there, n);
            there.fetch();
            CHECK(sumOf(tree.root()) == before + 4 * static_cast<double>(n));
        }
    }
}
