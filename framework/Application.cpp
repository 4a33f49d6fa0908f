#include <ferry/framework/Application.hpp>

#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/LibraryClasses.hpp>
#include <ferry/connector/collective/RegistryCheck.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/RegistryMismatch.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/Translator.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/transport/GrowingTransport.hpp>
#include <ferry/connector/transport/JoinedTransport.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/connector/transport/mpi/MpiJoin.hpp>
#include <ferry/connector/transport/mpi/calls/MpiError.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/Options.hpp>
#include <ferry/framework/ending/EndMarker.hpp>
#include <ferry/framework/ending/ExitHooks.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/JobReport.hpp>
#include <ferry/framework/ending/LastWords.hpp>
#include <ferry/framework/ending/ProcessEnd.hpp>
#include <ferry/framework/ending/Shutdown.hpp>
#include <ferry/framework/ending/Signals.hpp>
#include <ferry/framework/ending/StartGuard.hpp>
#include <ferry/framework/exception/SlavesCannotJoin.hpp>
#include <ferry/framework/journal/Journal.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/master/SlaveRecruiter.hpp>
#include <ferry/framework/monitor/JobMonitor.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>
#include <ferry/framework/slave/Done.hpp>
#include <ferry/framework/slave/SlaveLoop.hpp>
#include <ferry/framework/slave/SubMaster.hpp>
#include <ferry/framework/watch/JobWatch.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/file/OutputStream.hpp>

namespace ferry {

namespace {

// The objects of the parent, in a forked child process. They are never destroyed. The static pointer lets leak checkers find them.
std::atomic<const void*> parentsObjects{nullptr};

std::string reportAll(const detail::Shutdown::Failures& failures) {
    std::string text;
    for (const std::exception_ptr& failure : failures) text += (text.empty() ? "" : "\n  also ") + report(failure);
    return text;
}

int defaultRankCount() { return 1 + static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

/// Ends the monitor in whatever way the program ends.
struct MonitorEnd {
    ~MonitorEnd() { monitor.end(connector.now()); }
    detail::JobMonitor& monitor;
    Connector& connector;
};

detail::Options readOptions(int& argc, char** argv, std::exception_ptr& error) {
    try {
        detail::Options options = detail::takeOptions(argc, argv);
        setLogLevel(options.logLevel);
        return options;
    } catch (const UsageError&) {
        error = std::current_exception();
        return {};
    }
}

/// Returns null, and the error, when Ferry cannot use MPI as it is.
std::unique_ptr<detail::MpiEnvironment> startMpi(int& argc, char**& argv, std::exception_ptr& error) {
    try {
        return std::make_unique<detail::MpiEnvironment>(argc, argv);
    } catch (const UsageError&) {
        if (!error) error = std::current_exception();
        return nullptr;
    }
}

/// Checks the registry of classes for conflicts. Every rank of one build has the same conflicts.
void noteClassConflicts(std::exception_ptr& error) {
    if (error) return;
    try {
        detail::registerLibraryClasses();
        Done::ferryRegister();
        ObjectFactory::global().verify();
    } catch (const UsageError&) {
        error = std::current_exception();
    }
}

/// The message of the master to ranks that join together: the rank of the first one, and the address of the watch.
struct Invitation {
    int firstRank = 0;
    std::string watchAddress{};

    std::string text() const { return fmt::format("{} {}", firstRank, watchAddress); }
    static Invitation fromText(const std::string& text) {
        std::istringstream in(text);
        Invitation read;
        in >> read.firstRank >> std::ws;
        std::getline(in, read.watchAddress);
        return read;
    }
};

void compareRegistriesBetween(detail::Transport& transport) {
    detail::Mailbox mailbox(transport, ObjectFactory::global());
    detail::compareRegistriesWithMaster(mailbox);
}

void requireRoom(int count, std::size_t room) {
    if (static_cast<std::size_t>(count) > room)
        throw SlavesCannotJoin(fmt::format("{} are too many: there is room for {} more", count, room));
}

/// Starts the processes. If MPI cannot start them, its error text is the reason of the SlavesCannotJoin.
detail::MpiJoin startProcesses(int count) {
    try {
        return detail::MpiJoin::start(count);
    } catch (const MpiError& error) {
        throw SlavesCannotJoin(fmt::format("{} (are there free slots? ferry run --oversubscribe does without)", error.what()));
    } catch (const UsageError& error) {
        throw SlavesCannotJoin(error.what());
    }
}

}    // namespace

/// All that an Application consists of.
class Application::Parts final : private detail::ExitListener, private detail::SlaveRecruiter {
public:
    Parts(int& argc, char** argv, ThreadRanks threadRanks);
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    ~Parts();

    Slave& slave() noexcept { return slave_; }
    Connector& connector() noexcept { return *connectors_.front(); }

    int runJob(const std::function<int(Master&)>& program);
    int runRanks(detail::Shutdown::End end, const std::function<int(Connector&)>& part);

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
    detail::Watch::Ends endsOfWatch(int rank);
    void connectAlone();
    void connectThreads(std::vector<std::unique_ptr<detail::Transport>> transports);
    void addSlavesAsThreads();
    void startThread(std::size_t rank);
    bool canRecruit() const noexcept override;
    void recruit(int count) override;
    void recruitThreads(int count);
    void recruitProcesses(int count);
    void admitJoined(std::unique_ptr<detail::Transport> transport);
    [[noreturn]] void refuse(const std::exception_ptr& reason, int status);
    void groupSlaves(int count);
    int serve(Connector& connector);
    int runThreads(detail::Shutdown::End end, const std::function<int(Connector&)>& part);
    void joinThreads();
    void leaveProcesses();
    void abandon() noexcept;

    std::string whereCalled() const;
    [[noreturn]] void endFromOutside(int status, const std::string& explanation);
    void endUnsettledSignal(int signal, bool isTaken);

    void exitCalled(int status, const std::vector<std::exception_ptr>& exceptions) override;
    void terminateCalled(const std::vector<std::exception_ptr>& exceptions) override;
    void quickExitCalled(int status) noexcept override;
    int exitAtOnceCalled(int status) noexcept override;
    int callPart(const std::function<int(Connector&)>& part, Connector& connector);
    void endRank(const std::function<int(detail::Shutdown&)>& conduct, int status, const detail::Shutdown::Failures& failures = {});
    detail::Shutdown* shutdownOfThisThread();
    bool hasThreads() const noexcept { return hasThreads_; }

    const int exceptionsBefore_ = std::uncaught_exceptions();
    std::exception_ptr startError_;    ///< the error in the options or in the names of classes; null: there is none
    detail::Options options_;
    std::shared_ptr<const detail::OutputStream>
        reportStream_;    ///< rank 0's stream of a report into a pipe or a device: open for the whole job
    detail::Signals signals_;
    const int threadRankCount_;
    std::unique_ptr<detail::MpiEnvironment> mpi_;           ///< null: the ranks are threads
    std::unique_ptr<detail::JobWatch> watch_;               ///< null: the job does not survive losses
    std::vector<std::unique_ptr<Connector>> connectors_;    ///< one connector, or one for each thread
    std::unique_ptr<Connector> alone_;                      ///< of the only process, before the slaves of its job; null: there is none
    std::vector<std::unique_ptr<detail::Shutdown>> shutdowns_;    ///< one for each connector
    std::vector<std::unique_ptr<RankThread>> threads_;            ///< by rank; the entry of rank 0 has no thread; empty without threads
    std::function<void(std::size_t)> threadPart_;                 ///< work of the thread of a rank
    detail::GrowingTransport* growing_ = nullptr;                 ///< rank 0's transport; null: no rank can join
    bool hasThreads_ = false;                                     ///< the ranks are threads of this process
    bool isAlone_ = false;                                        ///< a launcher has started this process and no other
    std::string whyNoneCanJoin_;                                  ///< why no process can join; empty: processes can join
    Slave slave_;
    detail::SlaveGroups groups_;
    std::optional<detail::ExitHooks> hooks_;
    bool hasRun_ = false;
    bool isAnyStuck_ = false;
    int jobStatus_ = 0;
};

Application::Parts::Parts(int& argc, char** argv, ThreadRanks threadRanks)
    : options_(readOptions(argc, argv, startError_)),
      signals_(options_.shutdown.grace, [this](int signal, bool isTaken) { endUnsettledSignal(signal, isTaken); }),
      threadRankCount_(options_.slaveCount     ? *options_.slaveCount + 1
                       : threadRanks.count > 0 ? threadRanks.count
                                               : defaultRankCount()) {
    options_.shutdown.endMarkerPath = detail::EndMarker::pathFromEnvironment();
    detail::EndMarker::noteStarted(options_.shutdown.endMarkerPath);
    std::optional<detail::StartGuard> guard(std::in_place);
    noteClassConflicts(startError_);
    const bool isLaunched = detail::MpiEnvironment::isLaunched();
    if (detail::MpiEnvironment::isPresent()) mpi_ = startMpi(argc, argv, startError_);
    if (mpi_ && detail::MpiJoin::isJoining()) {
        joinProcesses();    // the tasks of a joining process come from the master
    } else if (mpi_ && mpi_->worldSize() > 1) {
        connectProcesses();
    } else if (mpi_ && isLaunched) {
        connectAlone();
    } else {
        connectThreads(detail::threadTransports(threadRankCount_));
    }
    detail::EndMarker::noteBegun(options_.shutdown.endMarkerPath);
    if (startError_) refuse(startError_, exitStatus::usage);
    // The end of a job needs the translator and the origin. Both are made before exit() is hooked, so that they still exist then.
    static_cast<void>(Translator::global());
    static_cast<void>(Origin::here());
    guard.reset();
    hooks_.emplace(static_cast<detail::ExitListener&>(*this));
}

void Application::Parts::connectProcesses() {
    detail::setRankOfThisThread(mpi_->worldRank());
    detail::setRankOfProcess(mpi_->worldRank());
    if (mpi_->worldRank() != 0) options_.shutdown.endMarkerPath.clear();
    connectWorld();
    if (connector().isMaster()) reportStream_ = detail::JobReport::prepare(options_.shutdown.reportPath);
    // From here on this rank hears of the job's end, even if another rank fails before this rank has compared registries.
    shutdowns_.push_back(std::make_unique<detail::Shutdown>(*connectors_.front(), options_.shutdown));
    if (startError_) return;    // the job reports this error instead
    try {
        detail::compareRegistries(detail::mailboxOf(connector()));
    } catch (const RegistryMismatch&) {
        refuse(std::current_exception(), exitStatus::buildMismatch);
    } catch (const Terminated&) {
        detail::logLine(spdlog::level::debug, "the job was stopped before this rank had joined it");    // run() will report it
    }
    if (!watch_) return;
    watch_->endStart();
    shutdowns_.front()->onOver([this] { watch_->sayGoodbye(); });
    if (connector().isMaster()) shutdowns_.front()->stragglers().onOverdue([this](const detail::Loss& loss) { watch_->giveUp(loss); });
}

detail::Watch::Ends Application::Parts::endsOfWatch(int rank) {
    detail::Watch::Ends ends;
    ends.onEarlyLoss = [this](const std::string& text) {
        detail::Shutdown::endFromOutside(
            detail::JobReport(exitStatus::lostRank,
                              {std::make_exception_ptr(LostRank(text + ", while ranks were on their way into the job"))},
                              "not all ranks have found each other"),
            options_.shutdown);
    };
    ends.onGivenUp = [rank] {
        detail::LastWords::say(rank, "the rank was given up by the others, and ends");
        detail::MpiEnvironment::endAlone(exitStatus::lostRank);
    };
    return ends;
}

/// Connects all ranks. From here on no rank waits for a dead rank.
void Application::Parts::connectWorld() {
    if (mpi_->isOwn()) watch_ = detail::JobWatch::begin(*mpi_, options_.watch, endsOfWatch(mpi_->worldRank()));
    std::unique_ptr<detail::Transport> world = mpi_->worldTransport(watch_ ? &watch_->losses() : nullptr);
    if (watch_ && mpi_->worldRank() == 0 && detail::MpiEnvironment::isElastic()) {
        auto growing = std::make_unique<detail::GrowingTransport>(std::move(world));
        growing_ = growing.get();
        world = std::move(growing);
    }
    connectors_.push_back(std::make_unique<Connector>(std::move(world), ObjectFactory::global(), RegistryComparison::Skip));
    groupSlaves(connector().size() - 1);
}

void Application::Parts::groupSlaves(int count) {
    if (!options_.groupSize) {
        groups_ = detail::SlaveGroups::automatic(count);
    } else if (*options_.groupSize > 0) {
        groups_ = detail::SlaveGroups(count, *options_.groupSize);
    }
}

/// Connects the only process of a launcher: one rank, over MPI. The slaves of a job come later, as threads.
void Application::Parts::connectAlone() {
    isAlone_ = true;
    std::vector<std::unique_ptr<detail::Transport>> transports;
    transports.push_back(mpi_->worldTransport());
    connectThreads(std::move(transports));
}

void Application::Parts::connectThreads(std::vector<std::unique_ptr<detail::Transport>> transports) {
    hasThreads_ = true;
    // Other threads read these vectors while ranks join, so they must not be reallocated.
    connectors_.reserve(mostRanks);
    shutdowns_.reserve(mostRanks);
    threads_.reserve(mostRanks);
    for (std::unique_ptr<detail::Transport>& transport : transports) {
        if (growing_ == nullptr) {
            auto growing = std::make_unique<detail::GrowingTransport>(std::move(transport));
            growing_ = growing.get();
            transport = std::move(growing);
        }
        connectors_.push_back(std::make_unique<Connector>(std::move(transport), ObjectFactory::global(), RegistryComparison::Skip));
        shutdowns_.push_back(std::make_unique<detail::Shutdown>(*connectors_.back(), options_.shutdown));
    }
    shutdowns_.front()->setAlone(true);
    groupSlaves(connector().size() - 1);
    detail::setRankOfThisThread(0);
    if (!reportStream_) reportStream_ = detail::JobReport::prepare(options_.shutdown.reportPath);
}

/// Ends the program because the job cannot start. Every rank has found the same reason: rank 0 reports it, and every program ends.
void Application::Parts::refuse(const std::exception_ptr& reason, int status) {
    try {
        std::rethrow_exception(reason);
    } catch (const std::exception& known) {
        if (connector().isMaster())
            fmt::print(stderr, "ferry: the job does not start: {}\n", detail::printable(known.what(), detail::Lines::Several));
    }
    if (connector().isMaster()) detail::JobReport(status, {reason}).save(options_.shutdown.reportPath);
    shutdowns_.front()->conductExit(status);
    leaveProcesses();
    std::exit(status);
}

Application::Parts::~Parts() {
    if (detail::ExitHooks::isForked()) {
        abandon();
        return;
    }
    try {
        detail::Shutdown& shutdown = *shutdowns_.front();
        if (!shutdown.isOver()) {
            if (shutdown.isEnding()) shutdown.giveUp({}, "the job could not be left in order");
            if (std::uncaught_exceptions() > exceptionsBefore_) {
                shutdown.conductFailure({std::make_exception_ptr(Terminated(
                    fmt::format("an exception left main() on rank {} before the job ran", connector().rank()), exitStatus::exception))});
            } else {
                shutdown.conductExit(exitStatus::success);
            }
        }
        hooks_->release();
        leaveProcesses();
    } catch (const std::exception& error) {
        detail::logLine(spdlog::level::err, "while leaving the job: {}", error.what());
    }
    if (!isAnyStuck_) return;
    // A thread that rests within exit() prevents a second, orderly exit of the process.
    detail::ProcessEnd::now(jobStatus_, options_.shutdown.endMarkerPath);
}

/// Gives up all objects in a forked child process: the ranks, their threads and MPI belong to the parent.
void Application::Parts::abandon() noexcept {
    struct Parents {
        std::unique_ptr<detail::MpiEnvironment> mpi;
        std::unique_ptr<detail::JobWatch> watch;
        std::vector<std::unique_ptr<Connector>> connectors;
        std::unique_ptr<Connector> alone;
        std::vector<std::unique_ptr<detail::Shutdown>> shutdowns;
        std::vector<std::unique_ptr<RankThread>> threads;
    };
    parentsObjects.store(new Parents{std::move(mpi_), std::move(watch_), std::move(connectors_), std::move(alone_), std::move(shutdowns_),
                                     std::move(threads_)});
}

void Application::Parts::leaveProcesses() {
    detail::ProcessEnd::arrange(shutdowns_.front()->endMarkerPath(), shutdowns_.front()->jobStatus(), watch_ != nullptr);
    if (!mpi_) return;
    if (watch_) watch_->end(options_.shutdown.grace);
    shutdowns_.clear();
    connectors_.clear();
    alone_.reset();
    if (!watch_) mpi_->finalize();    // MPI_Finalize would wait for lost ranks, also for a rank that is lost from here on
}

/// Gives the master of a launcher's only process its slaves: threads, since a master alone can do nothing. The program may still hold the
/// connector that it had before.
void Application::Parts::addSlavesAsThreads() {
    detail::mailboxOf(connector()).hooks().onIdle(nullptr);    // of the Shutdown that ends here
    shutdowns_.clear();
    alone_ = std::move(connectors_.front());
    connectors_.clear();
    growing_ = nullptr;
    connectThreads(detail::threadTransports(threadRankCount_));
}

int Application::Parts::runJob(const std::function<int(Master&)>& program) {
    if (isAlone_ && !hasRun_) addSlavesAsThreads();
    return runRanks(detail::Shutdown::End::WithMaster, [&](Connector& connector) -> int {
        if (!connector.isMaster()) return serve(connector);
        std::optional<detail::Journal> journal;
        if (!options_.journal.path.empty()) journal.emplace(options_.journal);
        detail::JobMonitor monitor(options_.monitor, connector.size() - 1, connector.now());
        const MonitorEnd monitorEnd{monitor, connector};
        Master master(connector, detail::BesideJob{journal ? &*journal : nullptr, &monitor, this, groups_,
                                                   [this](const std::exception_ptr& failure) { shutdownOfThisThread()->stopJob(failure); },
                                                   &shutdowns_.front()->stragglers()});
        const int status = program(master);
        monitor.collectTrace(connector);
        if (journal) journal->close();    // a job is not done before the next run would find all of its tasks
        return status;
    });
}

int Application::Parts::serve(Connector& connector) {
    const std::size_t traceRoom = options_.monitor.tracePath.empty() ? 0 : detail::TraceBuffer::usualRoom;
    if (groups_.isSubMaster(connector.rank())) detail::SubMaster(connector, groups_, traceRoom).run();
    detail::SlaveLoop(slave_, connector, groups_.masterOf(connector.rank()), traceRoom, options_.keeping).run();
    if (watch_ && detail::MpiEnvironment::isElastic()) shutdownOfThisThread()->leaveAtOnce();    // the slave was dismissed
    return exitStatus::success;
}

int Application::Parts::runRanks(detail::Shutdown::End end, const std::function<int(Connector&)>& part) {
    if (std::exchange(hasRun_, true)) throw UsageError("an Application runs once: put all parts of the job into one function");
    hooks_->renew(static_cast<int>(connectors_.size()));
    if (watch_ && end == detail::Shutdown::End::WithAll) watch_->letSucceed();
    if (hasThreads()) return jobStatus_ = runThreads(end, part);
    return jobStatus_ = shutdowns_.front()->conduct(end, [&] { return callPart(part, connector()); });
}

int Application::Parts::runThreads(detail::Shutdown::End end, const std::function<int(Connector&)>& part) {
    const auto conduct = [&](std::size_t rank) {
        detail::setRankOfThisThread(static_cast<int>(rank));
        return shutdowns_[rank]->conduct(end, [&] { return callPart(part, *connectors_[rank]); });
    };
    threadPart_ = conduct;
    shutdowns_.front()->setAlone(false);
    threads_.push_back(std::make_unique<RankThread>());
    for (std::size_t rank = 1; rank < connectors_.size(); ++rank) startThread(rank);
    const int status = conduct(0);
    joinThreads();
    return status;
}

void Application::Parts::startThread(std::size_t rank) {
    threads_.push_back(std::make_unique<RankThread>());
    threads_.back()->thread = std::thread(threadPart_, rank);
}

void Application::Parts::joinThreads() {
    for (const std::unique_ptr<RankThread>& rank : threads_) {
        if (!rank->thread.joinable()) continue;
        if (rank->isStuck) {
            isAnyStuck_ = true;
            rank->isResting.wait(false);
            rank->thread.detach();
        } else {
            rank->thread.join();
        }
    }
}

/// The place of a call from a thread that is no rank, for texts.
std::string Application::Parts::whereCalled() const {
    if (hasThreads()) return "in the process of all ranks";
    return fmt::format("on rank {}", connectors_.empty() ? 0 : connectors_.front()->rank());
}

void Application::Parts::endFromOutside(int status, const std::string& explanation) {
    detail::JobReport report(status, {}, explanation);
    if (watch_ && !connectors_.empty() && connectors_.front()->rank() != 0) report.limitToRank();    // the others survive its death
    detail::Shutdown::endFromOutside(report, options_.shutdown);
}

/// Ends the job for a signal that is not settled. A signal that a rank has taken waits for the master to stop the job: then the master is
/// named.
void Application::Parts::endUnsettledSignal(int signal, bool isTaken) {
    const int deafRank = isTaken || connectors_.empty() ? 0 : connectors_.front()->rank();
    endFromOutside(exitStatus::signalBase + signal, fmt::format("rank {} did not stop within {} ms after {}", deafRank,
                                                                options_.shutdown.grace.count(), detail::Signals::nameOf(signal)));
}

/// Handles exit() while the application exists: on the master, or on a slave, possibly in the middle of a handler.
void Application::Parts::exitCalled(int status, const std::vector<std::exception_ptr>& exceptions) {
    const int visible = detail::visibleExitStatus(status);
    if (shutdownOfThisThread() == nullptr) {
        if (connectors_.empty() || shutdowns_.front()->isOver()) return;
        const int told = visible == exitStatus::success ? exitStatus::earlyExit : visible;
        if (watch_) watch_->sayExit(told);
        endFromOutside(told, fmt::format("exit({}) was called {} by a thread of its own", status, whereCalled()));
    }
    endRank([&](detail::Shutdown& shutdown) { return shutdown.conductExit(visible, exceptions); }, visible);
}

/// Handles an exception that is not caught or that left a destructor: this rank cannot unwind, but the other ranks can.
void Application::Parts::terminateCalled(const std::vector<std::exception_ptr>& exceptions) {
    detail::Shutdown::Failures failures = exceptions;
    if (failures.empty()) failures.push_back(std::make_exception_ptr(Terminated("std::terminate() was called", exitStatus::exception)));
    const int status = detail::exitStatusOf(failures.front());
    detail::Shutdown* shutdown = shutdownOfThisThread();
    if (shutdown == nullptr) {
        endFromOutside(status,
                       fmt::format("std::terminate() was called {} by a thread of its own: {}", whereCalled(), reportAll(failures)));
    }
    if (shutdown->isOver()) {
        fmt::print(stderr, "ferry: after the end of the job: {}\n", reportAll(failures));
        endRank([status](detail::Shutdown&) { return status; }, -1);
    }
    if (shutdown->isEnding()) shutdown->giveUp(failures, "std::terminate() was called while the job ended");
    endRank([&failures](detail::Shutdown& own) { return own.conductFailure(failures); }, -1, failures);
}

/// Calls the part. If its thread ends itself or is cancelled, the rank has no thread left: a failure of the job.
int Application::Parts::callPart(const std::function<int(Connector&)>& part, Connector& connector) {
    try {
        return part(connector);
    } catch (detail::ForcedUnwind&) {
        terminateCalled({std::make_exception_ptr(
            Terminated(fmt::format("pthread_exit or pthread_cancel ended the thread of rank {}: a rank's program returns, or calls exit()",
                                   connector.rank()),
                       exitStatus::exception))});
        throw;
    }
}

void Application::Parts::quickExitCalled(int status) noexcept {
    if (shutdowns_.empty() || shutdowns_.front()->isOver()) return;
    const int rank = detail::rankOfThisThread();
    detail::LastWords::say(rank, "std::quick_exit() was called before the end of the job, which ends without a report");
    // With threads this is the status of the whole job, and the work of the other ranks is lost.
    if (rank != 0 && detail::visibleExitStatus(status) == exitStatus::success) _exit(exitStatus::earlyExit);
}

/// The other ranks of a job that survives losses tell of the loss of this one.
int Application::Parts::exitAtOnceCalled(int status) noexcept {
    const bool isNoticed = detail::visibleExitStatus(status) != exitStatus::success || watch_;
    if (isNoticed || shutdowns_.empty() || shutdowns_.front()->isOver()) return status;
    detail::LastWords::say(detail::rankOfThisThread(), "_exit(0) was called before the end of the job: the process ends with status 4");
    return exitStatus::earlyExit;
}

/// Takes this thread's rank out of the job. Returns when the process may go on to exit with the given status.
void Application::Parts::endRank(const std::function<int(detail::Shutdown&)>& conduct, int status,
                                 const detail::Shutdown::Failures& failures) {
    detail::Shutdown& shutdown = *shutdownOfThisThread();
    int jobStatus = exitStatus::exception;
    try {
        const int rank = detail::rankOfThisThread();
        if (hasThreads() && rank > 0) {
            RankThread& own = *threads_[static_cast<std::size_t>(rank)];
            own.isStuck = true;
            conduct(shutdown);
            own.isResting = true;
            own.isResting.notify_all();
            // The master's thread ends the process. This thread must neither return into exit() nor unwind.
            for (;;) pause();
        }
        jobStatus = conduct(shutdown);
        hooks_->release();
        joinThreads();
        leaveProcesses();
    } catch (...) {
        detail::Shutdown::Failures all = failures;
        all.push_back(std::current_exception());
        shutdown.giveUp(all, "the job could not be left in order");
    }
    if (jobStatus == status && !isAnyStuck_) return;
    detail::ProcessEnd::now(jobStatus, options_.shutdown.endMarkerPath);
}

/// The Shutdown of this thread's rank. Null on a thread that the program has made itself.
detail::Shutdown* Application::Parts::shutdownOfThisThread() {
    const int rank = detail::rankOfThisThread();
    if (rank < 0 || shutdowns_.empty()) return nullptr;
    return shutdowns_[hasThreads() ? static_cast<std::size_t>(rank) : 0].get();
}

// Ranks that join a job while it runs.

bool Application::Parts::canRecruit() const noexcept { return growing_ != nullptr; }

void Application::Parts::recruit(int count) {
    if (hasThreads()) return recruitThreads(count);
    if (growing_ != nullptr) return recruitProcesses(count);
    throw SlavesCannotJoin(
        watch_ ? fmt::format("{} lets no processes join a job that survives deaths; Open MPI 4 does", detail::MpiEnvironment::libraryName())
               : std::string("ferry run has not started it (processes can join where it has, with Open MPI 4)"));
}

void Application::Parts::admitJoined(std::unique_ptr<detail::Transport> transport) {
    growing_->join(std::move(transport));
    detail::admitJoined(connector());
    shutdowns_.front()->admitJoined();
}

void Application::Parts::recruitThreads(int count) {
    const std::size_t firstRank = connectors_.size();
    requireRoom(count, mostRanks - firstRank);
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(count + 1);
    for (std::size_t rank = firstRank; rank < firstRank + static_cast<std::size_t>(count); ++rank) {
        auto transport = std::make_unique<detail::JoinedTransport>(std::move(transports[rank - firstRank + 1]), static_cast<int>(rank));
        connectors_.push_back(std::make_unique<Connector>(std::move(transport), ObjectFactory::global(), RegistryComparison::Skip));
        detail::noteJoined(*connectors_.back());
        shutdowns_.push_back(std::make_unique<detail::Shutdown>(*connectors_.back(), options_.shutdown));
    }
    admitJoined(std::move(transports.front()));
    hooks_->renew(count);
    for (std::size_t rank = firstRank; rank < connectors_.size(); ++rank) startThread(rank);
}

void Application::Parts::recruitProcesses(int count) {
    if (!whyNoneCanJoin_.empty()) throw SlavesCannotJoin(whyNoneCanJoin_);
    requireRoom(count, mostRanks);
    std::string watchAddress;
    std::optional<detail::MpiJoin> between;
    try {
        watch_->expect(count);
    } catch (const std::system_error& error) {    // for example when no descriptor is left
        throw SlavesCannotJoin(fmt::format("the watch cannot listen for them: {}", error.what()));
    }
    try {
        watchAddress = watch_->address();
        between = startProcesses(count);
    } catch (const std::system_error& error) {
        watch_->expectNoMore(count);
        throw SlavesCannotJoin(fmt::format("the addresses of this host cannot be read: {}", error.what()));
    } catch (...) {
        watch_->expectNoMore(count);
        throw;
    }
    static_cast<void>(between->textOfFirst(Invitation{connector().size(), watchAddress}.text()));
    std::unique_ptr<detail::Transport> transport = between->transport(&watch_->losses());
    try {
        compareRegistriesBetween(*transport);
    } catch (const RegistryMismatch&) {
        whyNoneCanJoin_ = "the file of the program has changed since the job began";
        watch_->endStart();
        throw;
    }
    admitJoined(std::move(transport));
    watch_->endStart();
}

/// Joins a running job, on a process that its master has started.
void Application::Parts::joinProcesses() {
    options_.shutdown.endMarkerPath.clear();
    const detail::MpiJoin between = detail::MpiJoin::withMaster();
    const Invitation invitation = Invitation::fromText(between.textOfFirst(""));
    const int rank = invitation.firstRank + between.rank() - 1;
    detail::setRankOfThisThread(rank);
    detail::setRankOfProcess(rank);
    watch_ = detail::JobWatch::join(invitation.watchAddress, rank, options_.watch, endsOfWatch(rank));
    std::unique_ptr<detail::Transport> transport = between.transport(&watch_->losses());
    try {
        compareRegistriesBetween(*transport);
    } catch (const RegistryMismatch&) {
        watch_->sayGoodbye();
        detail::ProcessEnd::now(exitStatus::buildMismatch, {});    // the master reports it
    }
    connectors_.push_back(std::make_unique<Connector>(std::make_unique<detail::JoinedTransport>(std::move(transport), rank),
                                                      ObjectFactory::global(), RegistryComparison::Skip));
    detail::noteJoined(connector());
    shutdowns_.push_back(std::make_unique<detail::Shutdown>(connector(), options_.shutdown));
    watch_->endStart();
    shutdowns_.front()->onOver([this] { watch_->sayGoodbye(); });
}

namespace {

/// To be called before the parts are made: the signals belong to the first Application.
void requireNoOther() {
    if (detail::ExitHooks::areTaken()) throw UsageError("a program has one ferry::Application at a time");
}

}    // namespace

Application::Application(int& argc, char** argv, ThreadRanks threadRanks)
    : parts_((requireNoOther(), detail::SoleOwner<Parts>::make(argc, argv, threadRanks))) {}
Application::~Application() = default;

Slave& Application::slave() noexcept { return parts_->slave(); }
Connector& Application::connector() noexcept { return parts_->connector(); }
int Application::runJob(const std::function<int(Master&)>& program) { return parts_->runJob(program); }
int Application::runEverywhere(const std::function<int(Connector&)>& program) {
    return parts_->runRanks(detail::Shutdown::End::WithAll, program);
}

}    // namespace ferry
