// Tasks that several slaves do together.
#include <algorithm>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/mpi.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace teamtest {

enum class Conduct : int {
    Sums,         ///< the sum of the ranks of the team
    OneThrows,    ///< the rank of the number throws, while the others wait in a collective
    AllThrow,     ///< each rank throws its number
    Disagrees,    ///< rank 0 calls another collective than the others
    UsesMpi,      ///< the sum, by the communicator of the team
    Waits,        ///< rank 0 waits for a number from the master, and the others for rank 0
    Heeds,        ///< each rank works until the task is cancelled
    // Mistakes after which no rank of the team can go on.
    MixesUp,         ///< the last rank sums where the others broadcast
    ReturnsEarly,    ///< the rank of the number returns, while the others wait in a collective
    WaitsInRing,     ///< each rank waits for a message of the next one
    WaitsInGroup,    ///< each rank waits for a message of the next one, in a group of the team
};

/// A task of one slave that sends a number to the master.
struct Tell {
    int number = 0;
    using Reply = Done;
};

/// A task of a team.
struct Together {
    Conduct conduct = Conduct::Sums;
    int number = 0;
    using Reply = std::vector<int>;
};

int sumByMpi(Connector& c) {
    if (!detail::MpiEnvironment::isPresent()) return c.allReduce(c.rank(), Sum{});
    MPI_Comm communicator = makeCommunicator(c);
    int rank = -1, sum = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, communicator);
    MPI_Comm_free(&communicator);
    return sum;
}

/// The ranks in the job of all members, by their ranks in the team, and the sum of the ranks in the team.
std::vector<int> work(const Together& task, Team& team) {
    Connector& c = team.connector();
    switch (task.conduct) {
        case Conduct::OneThrows:
            if (c.rank() == task.number) throw Refused(task.number);
            break;
        case Conduct::AllThrow: throw Refused(c.rank());
        case Conduct::Disagrees:
            if (c.rank() == 0) c.barrier();
            break;
        case Conduct::Waits: c.broadcast(c.rank() == 0 ? team.task().connector().receive<int>(0) : 0); break;
        case Conduct::Heeds:
            for (;; std::this_thread::yield()) team.task().throwIfCancelled();
        case Conduct::UsesMpi: return {sumByMpi(c)};
        case Conduct::MixesUp:
            if (c.rank() + 1 == c.size()) return {c.allReduce(1, Sum{})};
            static_cast<void>(c.broadcast(1, 0));
            break;
        case Conduct::ReturnsEarly:
            if (c.rank() == task.number) return {-1};
            break;
        case Conduct::WaitsInRing: return {c.receive<int>(nextRank(c))};
        case Conduct::WaitsInGroup: {
            const auto group = c.split(0, -c.rank());
            return {group->receive<int>(nextRank(*group))};
        }
        case Conduct::Sums: break;
    }
    std::vector<int> members = c.gather(c.rankInJob(c.rank()));
    members.push_back(c.reduce(c.rank(), Sum{}));
    if (c.rank() != 0) return {-1};    // only the reply of rank 0 counts
    return members;
}

void define(Slave& slave) {
    slave.on<Together>(work);
    slave.on<Multiply>([](const Multiply& task) { return Multiplied(static_cast<long>(task.left) * task.right); });
    slave.on<Tell>([](const Tell& task, Task& about) { about.connector().send(0, task.number); });
}

void checkSum(const std::vector<int>& reply, int size) {
    REQUIRE(static_cast<int>(reply.size()) == size + 1);
    CHECK(reply.back() == size * (size - 1) / 2);
    for (int i = 0; i < size; ++i) {
        CHECK(reply[static_cast<std::size_t>(i)] > 0);
        for (int j = 0; j < i; ++j) CHECK(reply[static_cast<std::size_t>(i)] != reply[static_cast<std::size_t>(j)]);
    }
}

void runTeams(const std::function<void(Master&)>& program) { runJob(define, program); }

/// A team that makes a mistake.
struct Mistake {
    const char* name;
    Conduct conduct;
    int smallestSize;    ///< a smaller team makes no mistake
};
constexpr Mistake mistakes[] = {
    {"MixesUp", Conduct::MixesUp, 2},
    {"ReturnsEarly", Conduct::ReturnsEarly, 2},
    {"WaitsInRing", Conduct::WaitsInRing, 1},
    {"WaitsInGroup", Conduct::WaitsInGroup, 1},
};

/// Each failure of the team is a mismatch, or a deadlock that names each rank of the team by its number there.
void checkMistake(const std::function<void()>& get, const Mistake& mistake, int size) {
    CAPTURE(std::string(mistake.name));
    CAPTURE(size);
    try {
        get();
        FAIL_CHECK("the team has not failed");
    } catch (const ExceptionList& list) {
        CHECK(list.size() >= 1);
        for (const Failure& failure : list) {
            if (failure.as<CollectiveMismatch>() != nullptr) continue;
            const auto* const deadlock = failure.as<Deadlock>();
            REQUIRE_MESSAGE(deadlock != nullptr, failure.what());
            CHECK(std::string(deadlock->what()).find("no rank of the group can go on") == 0);
            REQUIRE(deadlock->ranks().size() == static_cast<std::size_t>(size));
            for (int rank = 0; rank < size; ++rank) CHECK(deadlock->ranks()[static_cast<std::size_t>(rank)].rank == rank);
            CHECK(failure.ranks().back() < size);
        }
    }
}

/// A call of the master that waits while the team makes its mistake, and then for the team.
struct WayToWait {
    const char* name;
    std::function<void(Master&, Future<std::vector<int>>&)> wait;
};
const std::vector<WayToWait>& waysToWait() {
    static const std::vector<WayToWait> all{
        {"get", [](Master&, Future<std::vector<int>>& team) { static_cast<void>(team.get()); }},
        {"waitForAll",
         [](Master& master, Future<std::vector<int>>& team) {
             master.waitForAll();
             static_cast<void>(team.get());
         }},
        {"receive",
         [](Master& master, Future<std::vector<int>>& team) {
             const auto told = master.submit(Tell{7});
             CHECK(master.connector().receive<int>() == 7);
             static_cast<void>(team.get());
         }},
        {"then",
         [](Master&, Future<std::vector<int>>& team) {
             static_cast<void>(std::move(team).then([](const std::vector<int>& reply) { return reply.size(); }).get());
         }},
        {"get in a function of then",
         [](Master& master, Future<std::vector<int>>& team) {
             auto next = master.submit(Multiply(2, 3)).then([&team](const Multiplied&) { return team.get().size(); });
             static_cast<void>(next.get());
         }},
    };
    return all;
}

}    // namespace teamtest

using namespace teamtest;

TEST_CASE("team: different slaves do the task together, and rank 0 answers") {
    runTeams([](Master& master) {
        for (int size = 1; size <= master.slaveCount(); ++size) checkSum(master.submit(Together{}, ranks(size)).get(), size);
    });
}

TEST_CASE("team: many teams and tasks of one slave at once are all done") {
    runTeams([](Master& master) {
        std::vector<Future<std::vector<int>>> teams;
        std::vector<Future<Multiplied>> tasks;
        for (int i = 0; i < 60; ++i) {
            teams.push_back(master.submit(Together{}, ranks(1 + i % master.slaveCount())));
            for (int j = 0; j < i % 5; ++j) tasks.push_back(master.submit(Multiply(i, 2)));
        }
        for (std::size_t i = teams.size(); i-- > 0;) checkSum(teams[i].get(), 1 + static_cast<int>(i) % master.slaveCount());
        for (Future<Multiplied>& task : tasks) static_cast<void>(task.get());
    });
}

TEST_CASE("team: a throw on any rank ends the team alone, and arrives with the rank in the team") {
    runTeams([](Master& master) {
        const int size = master.slaveCount();
        for (int round = 0; round < 3 * size; ++round) {
            auto failing = master.submit(Together{Conduct::OneThrows, round % size}, ranks(size));
            auto next = master.submit(Together{}, ranks(size));
            try {
                static_cast<void>(failing.get());
                FAIL_CHECK("the task has not failed");
            } catch (const ExceptionList& list) {
                REQUIRE(list.size() == 1);
                CHECK(list[0].ranks() == std::vector<int>{round % size});
                REQUIRE(list[0].as<Refused>() != nullptr);
                CHECK(list[0].as<Refused>()->number == round % size);
                CHECK(std::string(list.what()).find("on rank " + std::to_string(round % size) + ":") != std::string::npos);
            }
            checkSum(next.get(), size);
        }
    });
}

TEST_CASE("team: throws on all ranks arrive as one list") {
    runTeams([](Master& master) {
        const int size = master.slaveCount();
        try {
            static_cast<void>(master.submit(Together{Conduct::AllThrow, 0}, ranks(size)).get());
            FAIL_CHECK("the task has not failed");
        } catch (const ExceptionList& list) {
            CHECK(list.size() >= 1);    // a rank that is woken before it throws has no failure of its own
            for (const Failure& failure : list) {
                REQUIRE(failure.as<Refused>() != nullptr);
                CHECK(failure.ranks() == std::vector<int>{failure.as<Refused>()->number});
            }
        }
        checkSum(master.submit(Together{}, ranks(size)).get(), size);
    });
}

TEST_CASE("team: ranks that call different collectives fail, and the slaves go on") {
    runTeams([](Master& master) {
        const int size = master.slaveCount();
        if (size < 2) return;
        try {
            static_cast<void>(master.submit(Together{Conduct::Disagrees, 0}, ranks(size)).get());
            FAIL_CHECK("the task has not failed");
        } catch (const ExceptionList& list) {
            CHECK(!list.of<CollectiveMismatch>().empty());
        }
        checkSum(master.submit(Together{}, ranks(size)).get(), size);
    });
}

TEST_CASE("team: a mistake of the ranks ends the team alone, whatever the master waits in and the other slaves do") {
    JobRun run;
    run.define = teamtest::define;
    run.quietTime = std::chrono::milliseconds(3);
    run.check = [](int status) { CHECK(status == 0); };
    run.program = [](Master& master) {
        for (const Mistake& mistake : mistakes) {
            for (int size = mistake.smallestSize; size <= std::min(master.slaveCount(), 4); ++size) {
                for (const WayToWait& way : waysToWait()) {
                    CAPTURE(std::string(way.name));
                    auto alone = master.submit(Together{mistake.conduct, size - 1}, ranks(size));
                    checkMistake([&] { way.wait(master, alone); }, mistake, size);
                    auto busy = master.submit(Together{mistake.conduct, 0}, ranks(size));
                    std::vector<Future<Multiplied>> tasks;
                    for (int i = 0; i < 20; ++i) tasks.push_back(master.submit(Multiply(i, 2)));
                    auto good = master.submit(Together{}, ranks(size));
                    checkMistake([&] { way.wait(master, busy); }, mistake, size);
                    for (int i = 0; i < 20; ++i) CHECK(tasks[static_cast<std::size_t>(i)].get().value == 2 * i);
                    checkSum(good.get(), size);
                }
            }
        }
        checkSum(master.submit(Together{}, ranks(master.slaveCount())).get(), master.slaveCount());
    };
    onJobRanks(run);
}

TEST_CASE("team: a team whose rank 0 waits for the master is no deadlock, and is one of the job when the master waits for it") {
    JobRun run;
    run.define = teamtest::define;
    run.quietTime = std::chrono::milliseconds(3);
    run.check = [](int status) { CHECK(status == 0); };
    run.program = [](Master& master) {
        auto team = master.submit(Together{Conduct::Waits, 0}, ranks(master.slaveCount()));
        const int rank = team.rank();
        try {
            static_cast<void>(team.get());
            FAIL_CHECK("the team waits for the master");
        } catch (const Deadlock& deadlock) {
            CHECK(deadlock.ranks().size() == static_cast<std::size_t>(master.connector().size()));
        }
        master.connector().send(rank, 1);
    };
    onUngroupedJobRanks(run);
}

TEST_CASE("team: a task of one slave that comes after a team waits for the team, and no team waits for ever") {
    runTeams([](Master& master) {
        std::vector<Future<Multiplied>> tasks;
        for (int i = 0; i < 50; ++i) tasks.push_back(master.submit(Multiply(i, 2)));
        auto team = master.submit(Together{}, ranks(master.slaveCount()));
        for (int i = 0; i < 50; ++i) tasks.push_back(master.submit(Multiply(i, 2)));
        checkSum(team.get(), master.slaveCount());
        for (Future<Multiplied>& task : tasks) static_cast<void>(task.get());
    });
}

TEST_CASE("team: an exception that the master raises in a team at work comes on its rank 0") {
    runTeams([](Master& master) {
        auto team = master.submit(Together{Conduct::Waits, 0}, ranks(master.slaveCount()));
        CHECK(team.rank() > 0);    // all ranks of the team have begun
        CHECK(team.raise(Refused(5)));
        try {
            static_cast<void>(team.get());
            FAIL_CHECK("the task has not failed");
        } catch (const ExceptionList& list) {
            CHECK(list.of<Refused>().size() == 1);
        }
        checkSum(master.submit(Together{}, ranks(1)).get(), 1);
    });
}

TEST_CASE("team: a team at work that is cancelled, or comes to its deadline, fails as a task of one slave does") {
    runTeams([](Master& master) {
        for (int size = 1; size <= master.slaveCount(); ++size) {
            auto cancelled = master.submit(Together{Conduct::Heeds, 0}, ranks(size));
            CHECK(cancelled.rank() > 0);
            CHECK_FALSE(cancelled.cancel());    // the team is at work
            CHECK_THROWS_AS(static_cast<void>(cancelled.get()), Cancelled);
            auto late = master.submit(Together{Conduct::Heeds, 0}, ranks(size), {.deadline = Deadline::in(std::chrono::milliseconds(5))});
            CHECK_THROWS_AS(static_cast<void>(late.get()), TimeoutError);
            checkSum(master.submit(Together{}, ranks(size)).get(), size);
        }
    });
}

TEST_CASE("team: a team that waits for slaves can be cancelled, raised in, and has a deadline") {
    runTeams([](Master& master) {
        const int size = master.slaveCount();
        auto busy = master.submit(Together{Conduct::Waits, 0}, ranks(size));
        const int rank = busy.rank();
        auto cancelled = master.submit(Together{}, ranks(size));
        auto raised = master.submit(Together{}, ranks(size));
        auto late = master.submit(Together{}, ranks(size), {.deadline = Deadline::in(std::chrono::milliseconds(5))});
        auto last = master.submit(Together{}, ranks(size));
        cancelled.cancel();
        raised.raise(Refused(3));
        CHECK_THROWS_AS(static_cast<void>(late.get()), TimeoutError);
        master.connector().send(rank, 1);
        checkSum(busy.get(), size);
        CHECK_THROWS_AS(static_cast<void>(cancelled.get()), Cancelled);
        CHECK_THROWS_AS(static_cast<void>(raised.get()), Refused);
        checkSum(last.get(), size);
    });
}

TEST_CASE("team: what cannot work is refused by name") {
    runTeams([](Master& master) {
        const int size = master.slaveCount();
        CHECK_THROWS_AS(master.submit(Together{}, ranks(0)), UsageError);
        CHECK_THROWS_AS(master.submit(Together{}, ranks(-1)), UsageError);
        CHECK_THROWS_AS(master.submit(Together{}, ranks(size + 1)), UsageError);
        CHECK_THROWS_AS(master.submit(Together{}, ranks(1), {.retry = RetryOn<std::range_error>{.times = 3}}), UsageError);
        try {
            static_cast<void>(master.submit(Together{}).get());
            FAIL_CHECK("the task has not failed");
        } catch (const UsageError& error) {
            CHECK(std::string(error.what()).find("takes a ferry::Team: submit the task with ferry::ranks(n)") != std::string::npos);
        }
        CHECK_THROWS_AS(static_cast<void>(master.submit(Multiply(1, 2), ranks(size)).get()), UsageError);
        checkSum(master.submit(Together{}, ranks(size)).get(), size);
    });
}

TEST_CASE("team: its slaves make a communicator of MPI for a solver") {
    runTeams([](Master& master) {
        for (int size = 1; size <= master.slaveCount(); ++size)
            CHECK(master.submit(Together{Conduct::UsesMpi, 0}, ranks(size)).get() == std::vector<int>{size * (size - 1) / 2});
    });
}

TEST_CASE("team: a master that ends while teams are open lets go of them") {
    for (const int openCount : {1, 5}) {
        JobRun run;
        run.define = teamtest::define;
        run.program = [openCount](Master& master) {
            for (int i = 0; i < openCount; ++i) static_cast<void>(master.submit(Together{Conduct::Waits, 0}, ranks(1)));
            throw Refused(1);
        };
        run.check = [](int status) { CHECK(status != 0); };
        onJobRanks(run);
    }
}

TEST_CASE("team: a future that is dropped leaves nothing behind") {
    runTeams([](Master& master) {
        for (int i = 0; i < 10; ++i) static_cast<void>(master.submit(Together{}, ranks(master.slaveCount())));
        checkSum(master.submit(Together{}, ranks(master.slaveCount())).get(), master.slaveCount());
        master.waitForAll();
    });
}
