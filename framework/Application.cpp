#include <ferry/framework/Application.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/framework/ExitStatus.hpp>
#include <ferry/framework/Log.hpp>
#include <ferry/framework/SlaveLoop.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

// exit() calls back with no way to an object but this: the application that is alive, if any.
std::atomic<Application*> aliveApplication{nullptr};

Options takeOptionsOrExit(int& argc, char** argv) {
    try {
        Options options = takeOptions(argc, argv);
        setLogLevel(options.logLevel);
        return options;
    } catch (const UsageError& error) {
        fmt::print(stderr, "{}: {}\n", argc > 0 ? argv[0] : "ferry", error.what());
        std::exit(exitStatus::usage);
    }
}

int defaultRankCount() {
    return 1 + static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

} // namespace

void conductExitOfApplication(int exitStatus, void*) {
    if (Application* application = aliveApplication.load()) application->exitCalled(exitStatus);
}

Application::Application(int& argc, char** argv, ThreadRanks threadRanks) : options_(takeOptionsOrExit(argc, argv)) {
    if (MpiEnvironment::isPresent()) mpi_ = std::make_unique<MpiEnvironment>(argc, argv);
    if (mpi_ && mpi_->worldSize() > 1) {
        connectors_.push_back(std::make_unique<Connector>(mpi_->worldTransport()));
        shutdowns_.push_back(std::make_unique<Shutdown>(*connectors_.front()));
    } else {
        connectThreads(options_.slaveCount ? *options_.slaveCount + 1 : threadRanks.count > 0 ? threadRanks.count : defaultRankCount());
    }
    setRankOfThisThread(connector().rank());
    if (aliveApplication.exchange(this) != nullptr) throw UsageError("a program has one ferry::Application at a time");
    static const int isHooked = on_exit(conductExitOfApplication, nullptr);
    static_cast<void>(isHooked);
}

void Application::connectThreads(int rankCount) {
    for (std::unique_ptr<Transport>& transport : threadTransports(rankCount)) {
        connectors_.push_back(std::make_unique<Connector>(std::move(transport), ObjectFactory::global(), RegistryComparison::Skip));
        shutdowns_.push_back(std::make_unique<Shutdown>(*connectors_.back()));
    }
}

Application::~Application() {
    aliveApplication.store(nullptr);
    try {
        if (std::uncaught_exceptions() > 0 && !shutdowns_.front()->isOver()) {
            // An exception leaves main(): the others must hear of it, or they would wait for ever. Bounded by the grace time.
            shutdowns_.front()->conductExit(exitStatus::exception);
        }
        if (mpi_) leaveMpi();
    } catch (const std::exception& error) {
        log().error("while leaving the job: {}", error.what());
    }
}

void Application::leaveMpi() {
    shutdowns_.clear();
    connectors_.clear();
    mpi_->finalize();
}

int Application::run(const std::function<void(Master&)>& program) {
    return runRanks(Shutdown::End::WithMaster, [&](Connector& connector) {
        if (connector.isMaster()) {
            Master master(connector);
            program(master);
        } else {
            SlaveLoop(slave_, connector).run();
        }
    });
}

int Application::runOnAll(const std::function<void(Connector&)>& program) {
    return runRanks(Shutdown::End::WithAll, program);
}

int Application::runRanks(Shutdown::End end, const std::function<void(Connector&)>& part) {
    if (std::exchange(hasRun_, true)) throw UsageError("an Application runs once");
    if (connectors_.size() > 1) return runThreads(end, part);
    return shutdowns_.front()->conduct(end, [&] { part(connector()); });
}

int Application::runThreads(Shutdown::End end, const std::function<void(Connector&)>& part) {
    const auto conduct = [&](std::size_t rank) {
        setRankOfThisThread(static_cast<int>(rank));
        return shutdowns_[rank]->conduct(end, [&] { part(*connectors_[rank]); });
    };
    threads_ = std::vector<RankThread>(connectors_.size());
    for (std::size_t rank = 1; rank < connectors_.size(); ++rank) threads_[rank].thread = std::thread(conduct, rank);
    const int status = conduct(0);
    joinThreads();
    return status;
}

void Application::joinThreads() {
    for (RankThread& rank : threads_) {
        if (!rank.thread.joinable()) continue;
        if (rank.hasCalledExit) {
            rank.isResting.wait(false);
            rank.thread.detach();
        } else {
            rank.thread.join();
        }
    }
}

/// exit() was called while the application is alive: on the master, or on a slave, possibly in the middle of a handler.
void Application::exitCalled(int exitStatus) {
    const int rank = std::max(rankOfThisThread(), 0);
    const bool isThreadOfMany = connectors_.size() > 1;
    Shutdown& shutdown = *shutdowns_[isThreadOfMany ? static_cast<std::size_t>(rank) : 0];
    if (isThreadOfMany && rank > 0) {
        RankThread& own = threads_[static_cast<std::size_t>(rank)];
        own.hasCalledExit = true;
        shutdown.conductExit(exitStatus);
        own.isResting = true;
        own.isResting.notify_all();
        // The master's thread ends the process; this one must neither return into exit() nor unwind.
        for (;;) pause();
    }
    aliveApplication.store(nullptr);
    const int jobStatus = shutdown.conductExit(exitStatus);
    joinThreads();
    if (mpi_) leaveMpi();
    if (jobStatus == exitStatus) return;    // exit() goes on with it
    std::fflush(nullptr);
    _exit(jobStatus);
}

} // namespace ferry
