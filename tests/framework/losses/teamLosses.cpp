// Teams that solve equations by ScaLAPACK, in a job that loses slaves: FERRY_TEST_DOOM says which slaves, and when. A team that meets a loss
// is submitted again, with as many slaves as there are.
//   teamLosses COUNT SIZE POINTS     COUNT systems of POINTS equations, for teams of SIZE slaves
//   teamLosses left                  the program of the master ends while a slave waits in MPI for a dead slave of its team
#include <mpi.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include <ferry/examples/sweep/DenseSolver.hpp>
#include <ferry/ferry.hpp>
#include <ferry/mpi.hpp>
#include <ferry/tests/framework/losses/Doom.hpp>

namespace {

std::unique_ptr<ferry::test::Doom> doom;    // the plan of this rank

/// A system whose solution is known: number + 1, number + 2 and so on.
struct Equations {
    int number = 0;
    int points = 0;
    using Reply = double;
};

double solutionAt(const Equations& task, int row) { return task.number + 1 + row; }

double entry(int row, int column) { return row == column ? 8 : 1.0 / (1 + std::abs(row - column)); }

/// Returns the greatest error of the solution.
double solveEquations(const Equations& task, ferry::Team& team) {
    doom->reach("task");
    const auto rightSide = [&task](int row) {
        double sum = 0;
        for (int column = 0; column < task.points; ++column) sum += entry(row, column) * solutionAt(task, column);
        return sum;
    };
    const std::vector<double> solution = sweep::solve(team.connector(), {"test", task.points, entry, rightSide});
    doom->reach("reply");
    double error = 0;
    for (int row = 0; row < task.points; ++row)
        error = std::max(error, std::abs(solution[static_cast<std::size_t>(row)] - solutionAt(task, row)));
    return team.connector().allReduce(error, ferry::Max{});
}

/// Whether each failure of the team comes from a loss.
bool areOfLosses(const ferry::ExceptionList& failures) {
    return std::all_of(failures.begin(), failures.end(), [](const ferry::Failure& each) { return each.as<ferry::LostRank>() != nullptr; });
}

int runTeams(ferry::Master& master, int count, int size, int points) {
    struct Asked {
        Equations task;
        ferry::Future<double> error;
    };
    const auto ask = [&](const Equations& task) {
        return Asked{task, master.submit(task, ferry::ranks(std::min(size, master.slaveCount())), {.slavesAtMost = 1000})};
    };
    int failedCount = 0;
    std::vector<Asked> asked;
    for (int number = 0; number < count; ++number) asked.push_back(ask({number, points}));
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const Equations task = asked[i].task;
        try {
            const double error = asked[i].error.get();
            if (error < 1e-6) continue;
            std::printf("system %d has an error of %g\n", task.number, error);
            return 1;
        } catch (const ferry::ExceptionList& failures) {
            if (!areOfLosses(failures)) throw;
        } catch (const ferry::LostRank&) {}
        ++failedCount;
        asked.push_back(ask(task));
    }
    std::printf("done %d\n%d teams met a loss\n", count, failedCount);
    return 0;
}

/// The first slave of the team dies, and the others wait for it in MPI.
struct WaitForDead {
    using Reply = int;
};

int waitForDead(const WaitForDead&, ferry::Team& team) {
    MPI_Comm communicator = ferry::makeCommunicator(team.connector());
    if (team.connector().rank() == 0) ::raise(SIGKILL);
    MPI_Barrier(communicator);
    return 0;
}

/// The future has its failure when the first slave is lost. The second slave still waits then.
int leaveStuckSlave(ferry::Master& master) {
    try {
        master.submit(WaitForDead{}, ferry::ranks(2)).get();
    } catch (const ferry::LostRank&) {
        std::printf("done 1\n");
    }
    return 0;
}

int numberIn(int argc, char** argv, int place, int otherwise) { return argc > place ? std::atoi(argv[place]) : otherwise; }

}    // namespace

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    doom = std::make_unique<ferry::test::Doom>(app.connector().rank());
    app.slave().on<Equations>(solveEquations);
    app.slave().on<WaitForDead>(waitForDead);
    return app.run([&](ferry::Master& master) {
        if (argc > 1 && std::string_view(argv[1]) == "left") return leaveStuckSlave(master);
        return runTeams(master, numberIn(argc, argv, 1, 40), numberIn(argc, argv, 2, 2), numberIn(argc, argv, 3, 200));
    });
}
