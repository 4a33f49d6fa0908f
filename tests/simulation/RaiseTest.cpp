// Exceptions that the master raises in tasks, on thousands of schedules.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/framework/simulateJob.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

namespace raiseexercise {

constexpr int waits = 1;
constexpr int looks = 2;

/// Each handler waits for the exception, looks for it once, or answers.
Multiplied work(const Multiply& task, Task& about) {
    if (task.left == waits) static_cast<void>(about.connector().receive<int>(0));
    if (task.left == looks) about.throwIfCancelled();
    return Multiplied(task.right);
}

/// Submits tasks, raises in some of them at random times, throws on slaves between tasks, and checks each outcome.
void converse(Master& master, std::uint64_t seed) {
    SeededRandom random(seed);
    int thrownOnCount = 0;
    for (int round = 0; round < 6; ++round) {
        struct Asked {
            Future<Multiplied> reply;
            int conduct = 0;
            bool isRaised = false;
        };
        std::vector<Asked> asked;
        const auto count = static_cast<int>(1 + random.below(8));
        // rank() waits for the begin of a task, so all tasks before it must be over: they go in the order of their submission.
        const bool asksForRanks = random.below(2) == 0;
        for (int i = 0; i < count; ++i) {
            const auto conduct = static_cast<int>(random.below(3));
            asked.push_back(
                {master.submit(Multiply(conduct, i), {.priority = asksForRanks ? 0 : static_cast<int>(random.below(2))}), conduct});
            if (random.below(4) == 0) master.poll();
            Asked& some = asked[random.below(asked.size())];
            if (random.below(3) == 0) some.isRaised = some.reply.raise(Refused(7)) || some.isRaised;
        }
        if (random.below(4) == 0) {
            master.connector().throwOn(1 + static_cast<int>(random.below(static_cast<std::uint64_t>(master.connector().size() - 1))),
                                       std::range_error("between tasks"));
            ++thrownOnCount;
        }
        for (Asked& each : asked) {
            if (each.conduct != waits || each.isRaised) continue;
            if (asksForRanks) static_cast<void>(each.reply.rank());
            each.isRaised = each.reply.raise(Refused(7)) || each.isRaised;
        }
        for (std::size_t i = 0; i < asked.size(); ++i) {
            try {
                const long value = asked[i].reply.get().value;
                CHECK(value == static_cast<long>(i));
                CHECK(asked[i].conduct != waits);
            } catch (const Refused& refused) {
                CHECK(refused.number == 7);
                CHECK(asked[i].isRaised);
            } catch (const std::range_error&) {
                CHECK(asked[i].conduct != 0);
                CHECK(thrownOnCount-- > 0);
            }
        }
    }
}

}    // namespace raiseexercise

TEST_CASE("raise exercise: each task ends with its reply or the exception, on every schedule") {
    Slave slave;
    slave.on<Multiply>(raiseexercise::work);
    Seeds::forEach(2000, [&](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        const SimulationOf<int> result =
            simulateJob(rankCountFor(seed), options, slave, [seed](Master& master) { raiseexercise::converse(master, seed); });
        for (std::size_t rank = 0; rank < result.values.size(); ++rank) CHECK(result.values[rank] == 0);
    });
}
