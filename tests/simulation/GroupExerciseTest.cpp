#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/tests/connector/GuardedCampaign.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

namespace groupexercisetest {

constexpr int rounds = 6;

/// Each group runs its own campaign of guarded regions. Returns the problems.
std::vector<std::string> campaignInGroups(Connector& c, std::uint64_t seed) {
    const std::unique_ptr<Connector> group = c.split(c.rank() % 3 == 0 ? 0 : 1, -c.rank());
    const auto problems = runGuardedCampaign(*group, {.seed = seed + static_cast<std::uint64_t>(group->rankInJob(0)), .regions = 3});
    c.close();
    return problems;
}

/// Letters, collectives and regions of two groups, beside and inside regions of the connector. Ranks throw at different points.
/// run() returns a description of the problem.
class GroupExercise {
public:
    GroupExercise(Connector& c, std::uint64_t seed) : c_(c), random_(seed), parity_(c.split(c.rank() % 2)), all_(c.split(0, -c.rank())) {}

    std::string run() {
        for (round_ = 1; round_ <= rounds; ++round_) {
            thrower_ = below(c_.size() + 1);    // rank size() does not exist: then no rank throws
            throwAt_ = below(6);
            throwsInGroup_ = below(2) == 0;
            parity_->send(next(*parity_), -round_);    // this letter has to survive a failure of the region
            const bool hasFailed = runRegion();
            require(hasFailed == (thrower_ < c_.size()), "the region has not ended as its parts");
            require(parity_->receive<int>(AnyRank) == -round_, "a letter of another round");
            countRanks(*parity_);
            countRanks(*all_);
        }
        c_.close();
        return problem_;
    }

private:
    bool runRegion() {
        try {
            c_.guarded([&] { part(); });
        } catch (const ExceptionList& failures) {
            require(failures.size() == 1, "another number of failures");
            require(failures.front().ranks() == std::vector<int>{thrower_}, "another rank has failed");
            return true;
        }
        return false;
    }

    void part() {
        place(0);
        countRanks(*all_);
        place(1);
        parity_->send(next(*parity_), std::string("round ") + std::to_string(round_));
        parity_->guarded([&] {
            place(2);
            countRanks(*parity_);
        });
        place(3);
        all_->guarded([&] { all_->guarded([&] { countRanks(*all_); }); });
        place(4);
        const std::string expected = "round " + std::to_string(round_);
        require(parity_->receive<std::string>((parity_->rank() + parity_->size() - 1) % parity_->size()) == expected, "another text");
        if (throwsInGroup_) {
            all_->guarded([&] {
                place(5);
                c_.send(c_.rank(), round_);
                require(c_.receive<int>(c_.rank()) == round_, "another number");
                all_->barrier();
            });
        } else {
            place(5);
            all_->barrier();
        }
    }

    void place(int at) {
        if (c_.rank() == thrower_ && at == throwAt_) throw std::runtime_error("planned");
    }

    void countRanks(Connector& group) { require(group.allReduce(1, Sum{}) == group.size(), "ranks counted wrongly"); }

    void require(bool condition, const char* problem) {
        if (!condition && problem_.empty()) problem_ = "round " + std::to_string(round_) + ": " + problem;
    }

    int below(int count) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(count))); }
    static int next(const Connector& group) { return (group.rank() + 1) % group.size(); }

    Connector& c_;
    SeededRandom random_;
    std::unique_ptr<Connector> parity_;
    std::unique_ptr<Connector> all_;
    int round_ = 0;
    int thrower_ = 0;
    int throwAt_ = 0;
    bool throwsInGroup_ = false;
    std::string problem_;
};

}    // namespace groupexercisetest

using namespace groupexercisetest;

TEST_CASE("Groups under simulation: regions of groups and of the connector around them, with throws everywhere, in the exercise") {
    Seeds::forEach(1500, [](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        const auto result = simulate(rankCountFor(seed), options, [seed](Connector& c) { return GroupExercise(c, seed).run(); });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        for (const auto& problem : result.values) REQUIRE_MESSAGE(problem == std::string(), "seed ", seed, ": ", *problem);
    });
}

TEST_CASE("Groups under simulation: each group runs the exercise of guarded regions by itself") {
    Seeds::forEach(500, [](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        const auto result = simulate(rankCountFor(seed), options, [seed](Connector& c) { return campaignInGroups(c, seed); });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        for (const auto& problems : result.values)
            REQUIRE_MESSAGE(problems->empty(), "seed ", seed, ": ", problems->empty() ? "" : problems->front());
    });
}
