#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace ferry::test {

/// Which schedules the cases of this program run: what its command line says.
class Seeds {
public:
    /// Takes --ferry-seed=N (run this seed only), --ferry-scale=X (so many times as many schedules, 0.1 for a tenth) and --ferry-first=N
    /// (begin with this seed, so that a campaign can be run in parts) out of the command line.
    static void takeOptions(int& argc, char** argv);

    /// Calls the check with so many seeds, from 1 on, or with those that the command line asks for. When a check of doctest fails in it, the
    /// output says how to run that seed again; a REQUIRE ends the case.
    static void forEach(int count, const std::function<void(std::uint64_t seed)>& check);

    /// False when fewer schedules are run than the cases ask for.
    static bool areMany();

    /// The command that runs this case again with the seed alone.
    static std::string replayCommand(std::uint64_t seed);
};

/// 2 to 9 ranks, and now and then up to 64, as the seed decides.
int rankCountFor(std::uint64_t seed);

}    // namespace ferry::test
