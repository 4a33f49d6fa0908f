#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <ferry/benchmarks/device/Cycles.hpp>
#include <ferry/benchmarks/device/Figures.hpp>
#include <ferry/benchmarks/device/Platforms.hpp>
#include <ferry/benchmarks/device/Schemes.hpp>
#include <ferry/benchmarks/support/Clocks.hpp>

// Whole cycles of the schemes: there, one kernel, back.

namespace ferry::bench {

inline double& roundsNs() {
    static double ns = 2e8;
    return ns;
}

inline double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Runs the contenders in turns until the time is over. Returns the median of each, in microseconds.
inline std::vector<double> contest(const std::vector<std::function<void()>>& contenders) {
    std::vector<std::vector<double>> times(contenders.size());
    const double end = ::bench::wallNs() + roundsNs();
    for (int round = 0; round < 4 || (::bench::wallNs() < end && round < 2000); ++round) {
        for (std::size_t i = 0; i < contenders.size(); ++i) {
            const bool isCheap = round == 0 || times[i].empty() || times[i].front() < 1e5;
            if (isCheap) contenders[i]();    // finds its own data in the caches, not those of the contender before
            const double begin = ::bench::wallNs();
            contenders[i]();
            if (round > 0) times[i].push_back((::bench::wallNs() - begin) / 1000);
        }
    }
    std::vector<double> medians;
    for (auto& each : times) medians.push_back(median(std::move(each)));
    return medians;
}

template <class Platform, class Root>
Measured measureSchemes(Platform& on, const char* scenario, Root& root, std::size_t size, std::size_t n) {
    const std::size_t bytes = Marshalling<Root>::bytesFor(root);
    const detail::DeviceBlock block = on.byHand.reserve(bytes);
    std::byte* buffer = on.byHand.reserveStaging(bytes);
    std::memset(buffer, 1, bytes);
    std::vector<double> kernelUs[2];
    const auto timed = [&](int index, const std::function<void()>& run) {
        const double begin = ::bench::wallNs();
        run();
        kernelUs[index].push_back((::bench::wallNs() - begin) / 1000);
    };
    std::vector<Cycle> cycles = cyclesOf(on, root, n, block, buffer, timed);
    const std::size_t common = cycles.size();
    for (auto& more : on.moreCycles(root, n, bytes)) cycles.push_back(std::move(more));
    requireRightCycles(cycles, root, n);
    std::vector<std::function<void()>> contenders;
    for (const Cycle& cycle : cycles) contenders.push_back(cycle.run);
    std::vector<double> us = contest(contenders);
    const std::vector<double> more(us.begin() + static_cast<std::ptrdiff_t>(common), us.end());
    us.resize(common);
    on.byHand.releaseStaging(buffer, bytes);
    on.byHand.release(block);
    for (auto& each : kernelUs) us.push_back(median(std::move(each)));
    std::printf("| %s | %s %zu, n=%zu | %zu | %.1f | %.1f (%.1fx) | %.1fx | %.1fx | %.2fx | %.1f (%.2fx) | %.1f |", on.name, scenario, size,
                n, bytes, us[0], us[1], us[1] / us[0], us[2] / us[0], us[3] / us[0], us[4] / us[0], us[5], us[0] / us[5], us[6]);
    for (const double each : more) std::printf(" %.2fx |", each / us[0]);
    std::printf("\n");
    std::fflush(stdout);
    return {on.name, scenario, size, n, std::move(us)};
}

template <class Platform>
void measureAll(Platform& on, bool isShort, std::vector<Measured>& all) {
    std::printf("Whole cycle on the device %s: there, one kernel, back. Microseconds, and ratios to the image.\n\n",
                on.device.name().c_str());
    std::printf(
        "| device | case | bytes | image | marshalling | marshalling in one batch | member by member | pointerchain | bytes as one block "
        "(image / "
        "block) | kernel |%s\n|---|---|---|---|---|---|---|---|---|---|%s\n",
        Platform::moreColumns, Platform::moreLines);
    for (const std::size_t levels : {2, 6, 10}) {
        for (const std::size_t n : {100, 1000, 10'000, 100'000, 1'000'000}) {
            if (isShort && n > 10'000) continue;
            LinearChain chain(levels, n, true);
            all.push_back(measureSchemes(on, "Linear k =", chain.root(), levels, n));
        }
    }
    for (const std::size_t q : {2, 4, 8, 16}) {
        for (const std::size_t n : {10, 100, 1000, 10'000}) {
            if (n * q * q * q > (isShort ? 100'000u : 50'000'000u)) continue;
            DenseTree tree(q, n);
            all.push_back(measureSchemes(on, "Dense q =", tree.root(), q, n));
        }
    }
    std::printf("\n");
}

}    // namespace ferry::bench
