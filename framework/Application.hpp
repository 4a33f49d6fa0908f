#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/transport/GrowingTransport.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/framework/Options.hpp>
#include <ferry/framework/ending/ExitHooks.hpp>
#include <ferry/framework/ending/RankProgram.hpp>
#include <ferry/framework/ending/Shutdown.hpp>
#include <ferry/framework/ending/Signals.hpp>
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/master/SlaveRecruiter.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>
#include <ferry/framework/slave/Slave.hpp>
#include <ferry/framework/watch/JobWatch.hpp>
#include <ferry/serialization/checkpoint/OutputStream.hpp>

namespace ferry {

/// The number of ranks of a program that is started without mpirun: threads of its process. 0: a master and one slave for each core.
struct ThreadRanks {
    int count = 0;
};

/// A parallel program from its beginning to its end. Make one at the top of main().
///
/// Under mpirun, srun or another launcher that supports PMI, the ranks are the processes of the job. A program that is started alone has
/// threads as its ranks. The same program runs in both ways. Options that begin with --ferry- are removed from argv.
/// A child process that the program forks is no part of the job. It ends as if there were no Application.
/// The program may end by a return, an exception, exit(), SIGHUP, SIGINT or SIGTERM: in all cases it stops the whole job in order
/// (docs/errors.md).
/// Errors: a wrong option (status 2), and ranks of different builds (status 5): rank 0 reports the error, and the program exits.
///         UsageError while another Application exists.
class Application final : private ExitListener, private SlaveRecruiter {
public:
    Application(int& argc, char** argv, ThreadRanks threadRanks = {});
    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;

    /// Leaves the job in order. If an exception is leaving main() before any run, the other ranks are told to stop. A rank that leaves
    /// without having run waits here until the other ranks are done.
    ~Application();

    /// The definition of the slaves; to be filled before run().
    Slave& slave() noexcept { return slave_; }

    /// This rank's connector. With threads instead of MPI: rank 0's connector.
    Connector& connector() noexcept { return *connectors_.front(); }

    /// Runs the program, `void program(Master&)` or `int program(Master&)`, on rank 0, while all other ranks serve as slaves. To be called
    /// once.
    /// Returns the exit status of the job, equal on every rank. The status is the one that the program returned (0 to 255 are visible, 0
    /// when it returns nothing). When the job failed, it is the status of docs/errors.md, and the report has been printed.
    template <class Program>
    int run(Program&& program) {
        return runJob([&program](Master& master) { return callRankProgram(program, master); });
    }

    /// Runs the program, `void program(Connector&)` or `int program(Connector&)`, on every rank, once, until all have returned. With
    /// threads, all ranks run at the same time. Returns an equal status on every rank: that of the lowest rank that returned a status other
    /// than 0, or that of a failed job.
    template <class Program>
    int runOnAll(Program&& program) {
        return runRanks(Shutdown::End::WithAll, [&program](Connector& connector) { return callRankProgram(program, connector); });
    }

private:
    /// Limit of ranks that are threads of one process, and of processes that join at a time.
    static constexpr std::size_t mostRanks = 4097;

    /// The thread of one rank. A thread that called exit() or terminate() neither returns nor unwinds: it rests until the process ends.
    struct RankThread {
        std::thread thread;
        std::atomic<bool> isStuck{false};
        std::atomic<bool> isResting{false};
    };

    void connectProcesses();
    void joinProcesses();
    void connectWorld();
    Watch::Ends endsOfWatch(int rank);
    void connectThreads(int rankCount);
    void startThread(std::size_t rank);
    bool canRecruit() const noexcept override;
    void recruit(int count) override;
    void recruitThreads(int count);
    void recruitProcesses(int count);
    void admitJoined(std::unique_ptr<Transport> transport);
    [[noreturn]] void refuse(const std::exception_ptr& reason, int status);
    void groupSlaves(int count);
    int serve(Connector& connector);
    int runJob(const std::function<int(Master&)>& program);
    int runRanks(Shutdown::End end, const std::function<int(Connector&)>& part);
    int runThreads(Shutdown::End end, const std::function<int(Connector&)>& part);
    void joinThreads();
    void leaveProcesses();
    void abandon() noexcept;

    std::string whereCalled() const;
    [[noreturn]] void endFromOutside(int status, const std::string& explanation);
    void endUnsettledSignal(int signal, bool isTaken);

    void exitCalled(int status) override;
    void terminateCalled(const std::vector<std::exception_ptr>& exceptions) override;
    void quickExitCalled() noexcept override;
    int callPart(const std::function<int(Connector&)>& part, Connector& connector);
    void endRank(const std::function<int(Shutdown&)>& conduct, int status, const Shutdown::Failures& failures = {});
    Shutdown* shutdownOfThisThread();
    bool hasThreads() const noexcept { return hasThreads_; }

    const int exceptionsBefore_ = std::uncaught_exceptions();
    std::exception_ptr startError_;    ///< the error in the options or in the names of classes; null: there is none
    Options options_;
    std::shared_ptr<const OutputStream> reportStream_;    ///< rank 0's stream of a report into a pipe or a device: open for the whole job
    Signals signals_;
    std::unique_ptr<MpiEnvironment> mpi_;                   ///< null: the ranks are threads
    std::unique_ptr<JobWatch> watch_;                       ///< null: the job does not survive losses
    std::vector<std::unique_ptr<Connector>> connectors_;    ///< one connector, or one for each thread
    std::vector<std::unique_ptr<Shutdown>> shutdowns_;      ///< one for each connector
    std::vector<std::unique_ptr<RankThread>> threads_;      ///< by rank; the entry of rank 0 has no thread; empty without threads
    std::function<void(std::size_t)> threadPart_;           ///< work of the thread of a rank
    GrowingTransport* growing_ = nullptr;                   ///< rank 0's transport; null: no rank can join
    bool hasThreads_ = false;                               ///< the ranks are threads of this process
    std::string whyNoneCanJoin_;                            ///< why no process can join; empty: processes can join
    Slave slave_;
    SlaveGroups groups_;
    std::optional<ExitHooks> hooks_;
    bool hasRun_ = false;
    bool isAnyStuck_ = false;
    int jobStatus_ = 0;
};

}    // namespace ferry
