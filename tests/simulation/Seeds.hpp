#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace ferry::test {

/// The schedules for the test cases of this program, as the command line asks for them.
class Seeds {
public:
    /// Removes these options from the command line:
    /// --ferry-seed=N (run this seed only), --ferry-scale=X (multiply the number of schedules by X, such as 0.1),
    /// and --ferry-first=N (begin with this seed, so that a campaign can be run in parts).
    static void takeOptions(int& argc, char** argv);

    /// Calls the check with `count` seeds, from 1 on, or with the seeds that the command line asks for.
    /// When a check of doctest fails, the output says how to run that seed again. A REQUIRE ends the case.
    static void forEach(int count, const std::function<void(std::uint64_t seed)>& check);

    /// False when the command line asks for fewer schedules than the test cases do.
    static bool areMany();

    /// Returns the command that runs this case again with this seed only.
    static std::string replayCommand(std::uint64_t seed);
};

/// Returns a number of ranks that depends on the seed: 2 to 9, and now and then up to 64.
int rankCountFor(std::uint64_t seed);

}    // namespace ferry::test
