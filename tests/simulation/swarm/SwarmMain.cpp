// The campaign of the swarm: runs cases of many seeds, and prints each finding with the command that repeats it.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <ferry/framework/monitor/Log.hpp>
#include <ferry/tests/simulation/swarm/Shrinker.hpp>
#include <ferry/tests/simulation/swarm/Swarm.hpp>
#include <ferry/tests/support/ScarceMemory.hpp>

namespace {

using namespace ferry::test;
using Clock = std::chrono::steady_clock;

struct Options {
    std::uint64_t first = 1;
    std::uint64_t count = 1000;
    double seconds = 0;    // 0: no limit
    std::string note{};    // a file that has the seed that is running
    bool isOne = false;
    bool isScarce = false;
    bool shrinks = true;
    bool traces = false;

    SwarmCase draw(std::uint64_t seed) const { return isScarce ? drawScarceCase(seed) : drawCase(seed); }
};

std::optional<std::string_view> valueOf(std::string_view argument, std::string_view name) {
    if (!argument.starts_with(name)) return std::nullopt;
    return argument.substr(name.size());
}

bool read(int argc, char** argv, Options& options) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument(argv[i]);
        if (const auto seed = valueOf(argument, "--seed=")) {
            options.first = std::strtoull(seed->data(), nullptr, 10);
            options.count = 1;
            options.isOne = true;
        } else if (const auto first = valueOf(argument, "--first=")) {
            options.first = std::strtoull(first->data(), nullptr, 10);
        } else if (const auto count = valueOf(argument, "--count=")) {
            options.count = std::strtoull(count->data(), nullptr, 10);
        } else if (const auto seconds = valueOf(argument, "--seconds=")) {
            options.seconds = std::strtod(seconds->data(), nullptr);
            options.count = UINT64_MAX;
        } else if (const auto note = valueOf(argument, "--note=")) {
            options.note = *note;
        } else if (argument == "--scarce") {
            options.isScarce = true;
        } else if (argument == "--trace") {
            options.traces = true;
        } else if (argument == "--whole") {
            options.shrinks = false;
        } else {
            std::fprintf(stderr,
                         "usage: ferrySwarm [--first=N] [--count=N | --seconds=S] [--seed=N] [--scarce] [--note=FILE] [--whole] [--trace]\n"
                         "  --seed   runs this seed only\n"
                         "  --scarce a rank of each case lacks memory for a moment\n"
                         "  --note   a file that always has the seed that is running\n"
                         "  --whole  prints the case of a finding as it was drawn, without making it smaller\n"
                         "  --trace  prints every event of the smallest case\n");
            return false;
        }
    }
    return true;
}

/// Bytes that the program holds.
std::size_t bytesInUse() { return mallinfo2().uordblks; }

/// A case that is run again and again needs no more memory. Some memory is taken once, so one run without growth is enough.
std::optional<std::string> growthOf(const SwarmCase& swarm) {
    constexpr int mostRuns = 30;
    std::size_t least = SIZE_MAX;
    for (int i = 0; i < mostRuns && least != 0; ++i) {
        const std::size_t before = bytesInUse();
        problemsOf(swarm);
        const std::size_t after = bytesInUse();
        least = std::min(least, after > before ? after - before : 0);
    }
    if (least == 0) return std::nullopt;
    return fmt::format("each of {} runs leaves {} bytes of memory or more", mostRuns, least);
}

void tell(std::uint64_t seed, const std::vector<std::string>& problems, const Options& options) {
    std::printf("finding: seed %llu: %s\n    ferrySwarm%s --seed=%llu\n", static_cast<unsigned long long>(seed), problems.front().c_str(),
                options.isScarce ? " --scarce" : "", static_cast<unsigned long long>(seed));
    for (std::size_t i = 1; i < problems.size(); ++i) std::printf("    also: %s\n", problems[i].c_str());
    const SwarmCase drawn = options.draw(seed);
    const auto fails = [](const SwarmCase& candidate) { return !problemsOf(candidate).empty(); };
    const SwarmCase small = options.shrinks && fails(drawn) ? shrink(drawn, fails) : drawn;
    std::printf("%s\n", toCpp(small, fmt::format("Swarm: seed {}", seed)).c_str());
    if (options.traces)
        problemsOf(small, {.look = [](const ferry::SimulationResult& result) { std::printf("%s\n", result.trace.text().c_str()); }});
    std::fflush(stdout);
}

}    // namespace

int main(int argc, char** argv) {
    ferry::setLogLevel("off");    // thousands of jobs drop replies
    Options options;
    if (!read(argc, argv, options)) return 2;
    const bool isLoud = !options.isScarce || options.isOne;    // without memory most jobs fail, each with a report
    if (!isLoud && std::freopen("/dev/null", "w", stderr) == nullptr) return 2;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds));
    std::uint64_t done = 0;
    std::uint64_t findings = 0;
    std::uint64_t shortages = 0;    // cases in which an allocation has failed
    for (std::uint64_t seed = options.first; done < options.count && (options.seconds == 0 || Clock::now() < end); ++seed, ++done) {
        if (!options.note.empty()) std::ofstream(options.note) << seed << '\n';
        const SwarmCase swarm = options.draw(seed);
        if (swarm.isScarce()) {    // what a process allocates once must not change the number of the allocation that fails
            SwarmCase ample = swarm;
            ample.shortages.clear();
            problemsOf(ample);
        }
        const std::uint64_t failuresBefore = ScarceMemory::failureCount();
        std::vector<std::string> problems = problemsOf(swarm);
        if (ScarceMemory::failureCount() != failuresBefore) ++shortages;
        if (problems.empty() && (options.isOne || seed % 16 == 0)) {
            if (const auto growth = growthOf(swarm)) problems.push_back(*growth);
        }
        if (problems.empty()) continue;
        ++findings;
        tell(seed, problems, options);
    }
    if (!options.note.empty()) std::ofstream(options.note) << options.first + done << '\n';
    std::printf("%llu seeds, from %llu to %llu: %llu findings\n", static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(options.first), static_cast<unsigned long long>(options.first + done - 1),
                static_cast<unsigned long long>(findings));
    if (!options.isScarce) return findings == 0 ? 0 : 1;
    std::printf("an allocation has failed in %llu of them\n", static_cast<unsigned long long>(shortages));
    const bool isTested = options.isOne || shortages * 4 >= done;    // the others end before the allocation that was to fail
    return findings == 0 && isTested ? 0 : 1;
}
