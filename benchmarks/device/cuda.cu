// Deep copies to a CUDA device: the scenarios of the paper by its schemes, parts of structures, kernels, checks in kernels, launches.
// `benchDeviceCuda` takes a minute, and `--short` some seconds. `--pictures FOLDER` writes the figures of the paper. On a machine without a
// device the status is 77.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <ferry/benchmarks/device/Figures.hpp>
#include <ferry/benchmarks/device/OnCuda.hpp>
#include <ferry/benchmarks/device/WholeCycles.hpp>
#include <ferry/device.hpp>

namespace ferry::bench {

namespace {

/// Medians of the times on the device of what the contenders put into the stream, in microseconds. The contenders run in turns.
std::vector<double> contestOnDevice(const std::vector<std::function<void()>>& contenders, int rounds) {
    cudaEvent_t begin = nullptr, end = nullptr;
    must(cudaEventCreate(&begin));
    must(cudaEventCreate(&end));
    std::vector<std::vector<double>> times(contenders.size());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < contenders.size(); ++i) {
            must(cudaEventRecord(begin));
            contenders[i]();
            must(cudaEventRecord(end));
            must(cudaEventSynchronize(end));
            float ms = 0;
            must(cudaEventElapsedTime(&ms, begin, end));
            if (round > 0) times[i].push_back(1000.0 * ms);
        }
    }
    must(cudaEventDestroy(begin));
    must(cudaEventDestroy(end));
    std::vector<double> medians;
    for (auto& each : times) medians.push_back(median(std::move(each)));
    return medians;
}

/// The last array of a chain alone: by a View, and as an author of a pointer chain writes it with the calls of CUDA.
template <int Levels>
void measureLastArray(OnCuda& on, std::size_t n) {
    LinearChain chain(Levels, n, true);
    Linear& root = chain.root();
    Linear& last = chain.nodes().back();
    const std::size_t bytes = n * sizeof(double);
    const detail::DeviceBlock block = on.byHand.reserve(bytes);
    auto* array = reinterpret_cast<double*>(block.address);
    auto kept = on.device.copy(ferry::part<LinearPath<Levels>>(root));
    const std::vector<double> us = contest({
        [&] {
            must(cudaMemcpy(array, last.array, bytes, cudaMemcpyHostToDevice));
            scaleChains<<<blocksFor(n), BlockThreads>>>({{array}, 1}, n);
            must(cudaMemcpy(last.array, array, bytes, cudaMemcpyDeviceToHost));
        },
        [&] {
            auto there = on.device.copy(ferry::part<LinearPath<Levels>>(root));
            on.device.launch({blocksFor(n), BlockThreads}, scaleRoot<Linear>, there.get(), n);
            there.fetch();
        },
        [&] {
            auto there = on.device.copy(ferry::part<LinearPath<Levels>>(root));
            on.device.launch({blocksFor(n), BlockThreads}, scaleChains, Chains{{there.address(last.array)}, 1}, n);
            there.fetch();
        },
        [&] {
            kept.update();
            on.device.launch({blocksFor(n), BlockThreads}, scaleRoot<Linear>, kept.get(), n);
            kept.fetch();
        },
        [&] {
            auto there = on.device.copyArray(last.array, n);
            on.device.launch({blocksFor(n), BlockThreads}, scaleChains, Chains{{there.get()}, 1}, n);
            there.fetch();
        },
        [&] {
            auto there = on.device.copy(root);
            on.device.launch({blocksFor(n), BlockThreads}, scaleRoot<Linear>, there.get(), n);
            there.fetch();
        },
    });
    on.byHand.release(block);
    std::printf("| Linear k = %d, n=%zu | %.1f | %.2fx | %.2fx | %.2fx | %.2fx | %.2fx |\n", Levels, n, us[0], us[1] / us[0], us[2] / us[0],
                us[3] / us[0], us[4] / us[0], us[5] / us[0]);
    std::fflush(stdout);
}

/// The kernel alone, on the data of an image, of unified memory that has settled on the device, and of scattered allocations.
template <class Root>
void measureKernel(OnCuda& on, const char* scenario, Root& root, std::size_t size, std::size_t n) {
    auto there = on.device.copy(root);
    InUnifiedMemory<Root> unified(root, false);
    unified.bringThere();
    MemberByMember<Root> scattered(on.byHand, root);
    const auto launch = [n](Root* at) { return [at, n] { scaleRoot<<<blocksFor(n), BlockThreads>>>(at, n); }; };
    const std::vector<double> us = contestOnDevice({launch(there.get()), launch(unified.get()), launch(scattered.get())}, 100);
    must(cudaGetLastError());
    std::printf("| %s %zu, n=%zu | %.2f | %.2fx | %.2fx |\n", scenario, size, n, us[0], us[1] / us[0], us[2] / us[0]);
    std::fflush(stdout);
}

__global__ void addScaled(double* to, const double* from, double factor, std::size_t n) {
    if (const std::size_t i = itemHere(); i < n) to[i] += factor * from[i];
}
__global__ void addScaledChecked(double* to, const double* from, double factor, std::size_t n) {
    const std::size_t i = itemHere();
    if (i >= n) return;
    xassert(from[i] >= 0, "element {}", i);
    to[i] += factor * from[i];
}

/// As an author writes the check by hand: the thread ends at it, and the second load waits for it too.
__global__ void addScaledReturned(double* to, const double* from, double factor, std::size_t n) {
    const std::size_t i = itemHere();
    if (i >= n) return;
    if (!(from[i] >= 0)) return;
    to[i] += factor * from[i];
}
__global__ void addScaledThenChecked(double* to, const double* from, double factor, std::size_t n) {
    const std::size_t i = itemHere();
    if (i >= n) return;
    const double sum = to[i] + factor * from[i];
    xassert(sum >= 0, "element {}", i);
    to[i] = sum;
}

/// A check that holds in a kernel that is bound by memory.
void measureCheck(OnCuda& on) {
    constexpr std::size_t n = std::size_t{1} << 26;
    const detail::DeviceBlock block = on.byHand.reserve(2 * n * sizeof(double));
    must(cudaMemset(block.address, 0, block.bytes));
    auto* to = reinterpret_cast<double*>(block.address);
    const double* from = to + n;
    const std::vector<double> us = contestOnDevice({[&] { addScaled<<<blocksFor(n), BlockThreads>>>(to, from, 2, n); },
                                                    [&] { addScaledChecked<<<blocksFor(n), BlockThreads>>>(to, from, 2, n); },
                                                    [&] { addScaledThenChecked<<<blocksFor(n), BlockThreads>>>(to, from, 2, n); },
                                                    [&] { addScaledReturned<<<blocksFor(n), BlockThreads>>>(to, from, 2, n); }},
                                                   201);
    must(cudaGetLastError());
    on.byHand.release(block);
    std::printf(
        "\nA kernel bound by memory (2^26 doubles, %.0f GB/s): %.1f us. With an xassert that holds: between the loads %.3fx, behind them "
        "%.3fx. With a return by hand between the loads: %.3fx\n",
        3.0 * n * sizeof(double) / us[0] / 1000, us[0], us[1] / us[0], us[2] / us[0], us[3] / us[0]);
}

__global__ void doNothing() {}

/// Measures the cost of the log of launches: 500 launches and one wait.
void measureLaunches(OnCuda& on) {
    constexpr int Launches = 500;
    const std::vector<double> us = contest({
        [&] {
            for (int i = 0; i < Launches; ++i) doNothing<<<1, 32>>>();
            must(cudaDeviceSynchronize());
        },
        [&] {
            for (int i = 0; i < Launches; ++i) on.device.launch({1, 32}, doNothing);
            on.device.wait();
        },
    });
    std::printf("An empty launch: %.2f us by <<<>>>, %.2f us by launch(), which remembers its place\n", us[0] / Launches, us[1] / Launches);
}

void measure(bool isShort, const std::string& folder) {
    OnCuda on;
    measureCheck(on);
    measureLaunches(on);
    std::printf(
        "\nThe last array of a chain alone: there, one kernel, back. Microseconds of the pointer chain by hand, and ratios to it.\n\n"
        "| case | by hand | View | View, address to the kernel | View, update of a kept copy | copyArray | whole chain "
        "|\n|---|---|---|---|---|---|---|\n");
    for (const std::size_t n : {100, 10'000, 100'000, 1'000'000}) {
        measureLastArray<2>(on, n);
        measureLastArray<6>(on, n);
        measureLastArray<10>(on, n);
    }
    std::printf(
        "\nKernels: microseconds on the image, and ratios to it.\n\n| case | image | unified memory | scattered |\n|---|---|---|---|\n");
    for (const std::size_t n : {1000, 100'000, 1'000'000}) {
        LinearChain chain(10, n, true);
        measureKernel(on, "Linear k =", chain.root(), 10, n);
    }
    for (const std::size_t n : {10, 1000, 10'000}) {
        DenseTree tree(16, n);
        measureKernel(on, "Dense q =", tree.root(), 16, n);
    }
    std::printf("\n");
    std::vector<Measured> all;
    measureAll(on, isShort, all);
    if (!folder.empty()) drawFigures(all, folder);
}

}    // namespace

}    // namespace ferry::bench

int main(int argumentCount, char** arguments) {
    std::string folder;
    bool isShort = false;
    for (int i = 1; i < argumentCount; ++i) {
        if (std::strcmp(arguments[i], "--short") == 0) isShort = true;
        if (std::strcmp(arguments[i], "--pictures") == 0 && i + 1 < argumentCount) folder = arguments[++i];
    }
    ferry::bench::roundsNs() = isShort ? 5e6 : 1e8;
    try {
        ferry::bench::measure(isShort, folder);
    } catch (const ferry::DeviceError& e) {
        std::printf("%s\n", e.what());
        return e.problem() == ferry::DeviceProblem::NoDevice ? 77 : 1;
    } catch (const std::runtime_error& e) {
        std::printf("%s\n", e.what());
        return 1;
    }
    return 0;
}
