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

/// How many ranks a program has that is started without mpirun: threads of its process. 0: a master, and one slave for each core.
struct ThreadRanks {
    int count = 0;
};

/// A parallel program from its beginning to its end. Make one at the top of main().
///
/// Started by mpirun, srun or whatever else speaks PMI, its ranks are the processes of the job; started alone, threads of this process.
/// The same program runs both ways. Options that begin with --ferry- are taken out of argv.
/// A child process that the program forks is no part of the job, and ends as if there were no Application.
/// However the program ends, it stops the whole job in order: by a return, an exception, exit(), SIGHUP, SIGINT or SIGTERM
/// (docs/errors.md). Errors: a wrong option (status 2), or ranks that are of different builds (status 5), are reported by rank 0, and the
/// program exits;
///         UsageError while another Application lives.
class Application final : private ExitListener, private SlaveRecruiter {
public:
    Application(int& argc, char** argv, ThreadRanks threadRanks = {});
    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;

    /// Leaves the job in order. When an exception is leaving main() before any run, the other ranks are told to stop. A rank that goes
    /// without having run waits here until the others are done.
    ~Application();

    /// What the slaves do; fill it in before run().
    Slave& slave() noexcept { return slave_; }

    /// This rank's connector. With threads instead of MPI, rank 0's.
    Connector& connector() noexcept { return *connectors_.front(); }

    /// Runs the program, `void program(Master&)` or `int program(Master&)`, on rank 0, while all other ranks serve as slaves; once.
    /// Returns the exit status of the job, the same on every rank: what the program returned (0 to 255 are visible, 0 when it returns
    /// nothing), or the status that docs/errors.md says when the job failed; the report has been printed then.
    template <class Program>
    int run(Program&& program) {
        return runJob([&program](Master& master) { return callRankProgram(program, master); });
    }

    /// Runs the program, `void program(Connector&)` or `int program(Connector&)`, on every rank, once, until all have returned; with
    /// threads on all at the same time. Returns the same on every rank: the status that the lowest rank returned which returned another
    /// than 0, or that of a job that failed.
    template <class Program>
    int runOnAll(Program&& program) {
        return runRanks(Shutdown::End::WithAll, [&program](Connector& connector) { return callRankProgram(program, connector); });
    }

private:
    /// Threads of one process; and processes that join at a time.
    static constexpr std::size_t mostRanks = 4097;

    /// The thread of one rank. One that called exit() or terminate() neither returns nor unwinds: it rests until the process ends.
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
    std::unique_ptr<MpiEnvironment> mpi_;                   ///< null with threads
    std::unique_ptr<JobWatch> watch_;                       ///< null: the job survives no losses
    std::vector<std::unique_ptr<Connector>> connectors_;    ///< one, or one for each thread
    std::vector<std::unique_ptr<Shutdown>> shutdowns_;      ///< one for each connector
    std::vector<std::unique_ptr<RankThread>> threads_;      ///< by rank; rank 0's has no thread; empty without threads
    std::function<void(std::size_t)> threadPart_;           ///< what the thread of a rank does
    GrowingTransport* growing_ = nullptr;                   ///< rank 0's; null: no rank can join
    bool hasThreads_ = false;                               ///< the ranks are threads of this process
    std::string whyNoneCanJoin_;                            ///< empty: processes can
    Slave slave_;
    SlaveGroups groups_;
    std::optional<ExitHooks> hooks_;
    bool hasRun_ = false;
    bool isAnyStuck_ = false;
    int jobStatus_ = 0;
};

}    // namespace ferry
