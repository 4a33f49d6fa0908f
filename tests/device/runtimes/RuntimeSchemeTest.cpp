#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/benchmarks/device/Cycles.hpp>

// The schemes that the benchmark compares must all do the same work.

namespace {

using namespace ferry::bench;

template <class Platform, class Root>
void checkSchemes(Platform& on, Root& root, std::size_t n) {
    const std::size_t bytes = Marshalling<Root>::bytesFor(root);
    const ferry::detail::DeviceBlock block = on.byHand.reserve(bytes);
    std::vector<std::byte> buffer(bytes);
    const auto cycles = cyclesOf(on, root, n, block, buffer.data(), [](int, const std::function<void()>& run) { run(); });
    CHECK(cycles.size() == 6);
    CHECK(wrongCycles(cycles, root, n) == std::vector<std::string>());
    on.byHand.release(block);
}

template <class Platform>
void checkScenarios(Platform& on) {
    for (const std::size_t levels : {2, 6, 10}) {
        for (const std::size_t n : {1, 100, 10'000}) {
            CAPTURE(levels);
            CAPTURE(n);
            LinearChain chain(levels, n, true);
            checkSchemes(on, chain.root(), n);
        }
    }
    for (const std::size_t q : {2, 4, 8}) {
        for (const std::size_t n : {10, 100}) {
            CAPTURE(q);
            CAPTURE(n);
            DenseTree tree(q, n);
            checkSchemes(on, tree.root(), n);
        }
    }
}

}    // namespace

TEST_CASE("Schemes of the benchmark: each gives the result of the host, on the host device") {
    OnHost on;
    checkScenarios(on);
}

#ifdef FERRY_BENCH_OPENCL
TEST_CASE("Schemes of the benchmark: each gives the result of the host, on OpenCL") {
    OnOpenCl on;
    checkScenarios(on);
}
#endif

TEST_CASE("Schemes of the benchmark: a scheme that leaves the values as they are, or changes others, is found") {
    LinearChain chain(3, 10, true);
    Linear& root = chain.root();
    const std::vector<Cycle> cycles{{"idle", [] {}},
                                    {"bytes", [] {}, false},
                                    {"one too many",
                                     [&root] {
                                         for (std::size_t i = 0; i < 10; ++i) scaleItem(&root, i, Factor);
                                         root.next->array[3] += 1;
                                     }},
                                    {"right", [&root] {
                                         for (std::size_t i = 0; i < 10; ++i) scaleItem(&root, i, Factor);
                                     }}};
    CHECK(wrongCycles(cycles, root, 10) == std::vector<std::string>{"idle", "one too many"});
    CHECK(root.array[0] == 1);
    CHECK_THROWS_WITH(requireRightCycles(cycles, root, 10), "schemes with another result than the host: idle, one too many");
}
