#include <ferry/tests/simulation/Seeds.hpp>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <ferry/connector/transport/simulation/SeededRandom.hpp>

namespace ferry::test {

namespace {

std::optional<std::uint64_t> onlySeed;
double scale = 1;
std::uint64_t firstSeed = 1;

/// Returns the text behind the name of the option, or null for another option.
const char* valueOf(std::string_view name, std::string_view option) {
    return option.substr(0, name.size()) == name ? option.data() + name.size() : nullptr;
}

}    // namespace

void Seeds::takeOptions(int& argc, char** argv) {
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string_view option(argv[i]);
        if (const char* seed = valueOf("--ferry-seed=", option)) {
            onlySeed = std::strtoull(seed, nullptr, 10);
        } else if (const char* factor = valueOf("--ferry-scale=", option)) {
            scale = std::strtod(factor, nullptr);
        } else if (const char* first = valueOf("--ferry-first=", option)) {
            firstSeed = std::strtoull(first, nullptr, 10);
        } else {
            argv[kept++] = argv[i];
        }
    }
    argc = kept;
}

void Seeds::forEach(int count, const std::function<void(std::uint64_t)>& check) {
    const std::uint64_t first = onlySeed.value_or(firstSeed);
    const std::uint64_t last = onlySeed ? first : first - 1 + static_cast<std::uint64_t>(std::ceil(scale * count));
    for (std::uint64_t seed = first; seed <= last; ++seed) {
        INFO(replayCommand(seed));
        check(seed);
    }
}

bool Seeds::areMany() { return !onlySeed && scale >= 1; }

std::string Seeds::replayCommand(std::uint64_t seed) {
    std::string name;
    for (const char symbol : std::string_view(doctest::getContextOptions()->currentTest->m_name))
        name += symbol == ',' ? std::string("\\,") : std::string(1, symbol);    // a comma would begin another name
    return fmt::format("replay: ferrySimulationTests --ferry-seed={} -tc=\"{}\"", seed, name);
}

int rankCountFor(std::uint64_t seed) {
    constexpr std::uint64_t apartFromTheNetwork = 0x4a4c;
    SeededRandom random(seed ^ apartFromTheNetwork);
    const std::uint64_t count = random.oneIn(64) ? 10 + random.below(55) : 2 + random.below(8);
    return static_cast<int>(count);
}

}    // namespace ferry::test
