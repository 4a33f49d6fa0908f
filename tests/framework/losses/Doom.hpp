#pragma once

#include <string>
#include <vector>

namespace ferry::test {

/// The planned end of a rank of the test program, from the environment variable FERRY_TEST_DOOM. Examples are
/// "3:task:4:kill,5:time:250:stop". A final ":once" excludes restarts of the job.
///
/// Threads: any.
class Doom {
public:
    /// Reads the plan for this rank. At the point "time" the rank ends a number of milliseconds from now, wherever it is then.
    explicit Doom(int rank);

    /// Notes that a point is reached: "begin" when the job has begun, "task" in a handler, "reply" while its reply is written.
    /// The rank ends when the point and its count are those of the plan. Errors: Spoiled, after which the slave ends the rank.
    void reach(const std::string& point);

private:
    struct Fate {
        std::string point;
        int count = 0;
        std::string how;
    };

    [[noreturn]] static void endNow(int rank, const std::string& how);

    int rank_;
    std::vector<Fate> fates_;
};

}    // namespace ferry::test
