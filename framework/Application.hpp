#pragma once

#include <functional>
#include <memory>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/ending/RankProgram.hpp>
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/slave/Slave.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>

namespace ferry {

/// The number of ranks of a program that is started without a launcher such as mpirun: threads of its process. 0: a master and one slave
/// for each core. A launcher decides by itself: `mpirun -np 1` is one rank. Only the master of a job has slaves there, too, as threads.
struct ThreadRanks {
    int count = 0;
};

/// A parallel program from its beginning to its end. Make one at the top of main().
///
/// Under mpirun, srun or another launcher that supports PMI, the ranks are the processes of the job, also when there is one. A program that
/// is started alone has threads as its ranks. The same program runs in both ways. Options that begin with --ferry- are removed from argv.
/// A child process that the program forks is no part of the job. It ends as if there were no Application.
/// The program may end by a return, an exception, exit(), SIGHUP, SIGINT or SIGTERM: in all cases it stops the whole job in order
/// (docs/errors.md).
/// Errors: a wrong option (status 2), and ranks of different builds (status 5): rank 0 reports the error, and the program exits.
///         UsageError while another Application exists.
class Application final {
public:
    Application(int& argc, char** argv, ThreadRanks threadRanks = {});
    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;

    /// Leaves the job in order. If an exception is leaving main() before any run, the other ranks are told to stop. A rank that leaves
    /// without having run waits here until the other ranks are done.
    ~Application();

    /// The definition of the slaves; to be filled before run().
    Slave& slave() noexcept;

    /// This rank's connector. With threads instead of MPI: rank 0's connector. The only process of a launcher is one rank, until run()
    /// makes its slaves, and another connector for its master.
    Connector& connector() noexcept;

    /// Runs the program, `void program(Master&)` or `int program(Master&)`, on rank 0, while all other ranks serve as slaves. To be called
    /// once. The only process of a launcher (`mpirun -np 1`) gets slaves as threads, as many as without a launcher.
    /// Returns the exit status of the job, equal on every rank. The status is the one that the program returned (0 to 255 are visible, 0
    /// when it returns nothing). When the job failed, it is the status of docs/errors.md, and the report has been printed.
    template <class Program>
    int run(Program&& program) {
        return runJob([&program](Master& master) { return detail::callRankProgram(program, master); });
    }

    /// Runs the program, `void program(Connector&)` or `int program(Connector&)`, on every rank, once, until all have returned. With
    /// threads, all ranks run at the same time. Returns an equal status on every rank: that of the lowest rank that returned a status other
    /// than 0, or that of a failed job.
    template <class Program>
    int runOnAll(Program&& program) {
        return runEverywhere([&program](Connector& connector) { return detail::callRankProgram(program, connector); });
    }

private:
    class Parts;

    int runJob(const std::function<int(Master&)>& program);
    int runEverywhere(const std::function<int(Connector&)>& program);

    const detail::SoleOwner<Parts> parts_;
};

}    // namespace ferry
