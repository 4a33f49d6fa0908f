#pragma once

#include <string>
#include <vector>

namespace ferry::test {

/// How and where a rank of the test program is to end: what the environment variable FERRY_TEST_DOOM says, such as
/// "3:task:4:kill,5:time:250:stop"; with ":once" behind it only when the job has not been started again.
///
/// Threads: any.
class Doom {
public:
    /// What is said of this rank. At the point "time" it ends so many milliseconds from now, wherever it is then.
    explicit Doom(int rank);

    /// A point is reached: "begin" when the job has begun, "task" in a handler, "reply" while its reply is written. At the one and the
    /// count that were said the rank ends.
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
