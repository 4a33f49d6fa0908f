#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace ferry::test {

/// Which schedules the cases of this program run: what its command line says.
class Seeds {
public:
    /// Takes --ferry-seed N (run this seed only) and --ferry-schedules N (run so many) out of the command line.
    static void takeOptions(int& argc, char** argv);

    /// Calls the check with the seeds 1 to count, or with those that the command line asks for. When a check of doctest fails in it, the
    /// output says how to run that seed again; a REQUIRE ends the case.
    static void forEach(int count, const std::function<void(std::uint64_t seed)>& check);

    /// False when one seed only is run.
    static bool areMany();

    /// The command that runs this case again with the seed alone.
    static std::string replayCommand(std::uint64_t seed);
};

/// 2 to 9 ranks, and now and then up to 64, as the seed decides.
int rankCountFor(std::uint64_t seed);

}    // namespace ferry::test
