// Ranks that join a job while it runs.
#include <ferry/framework/Application.hpp>

#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/RegistryMismatch.hpp>
#include <ferry/connector/message/RegistryCheck.hpp>
#include <ferry/connector/transport/JoinedTransport.hpp>
#include <ferry/connector/transport/MpiError.hpp>
#include <ferry/connector/transport/MpiJoin.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/framework/ExitStatus.hpp>
#include <ferry/framework/ProcessEnd.hpp>
#include <ferry/framework/SlavesCannotJoin.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

/// What the master tells those that join together: the rank of the first, and where they find the watch.
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

void compareRegistriesBetween(Transport& transport) {
    Mailbox mailbox(transport, ObjectFactory::global());
    compareRegistries(mailbox);
}

void requireRoom(int count, std::size_t room) {
    if (static_cast<std::size_t>(count) > room)
        throw SlavesCannotJoin(fmt::format("{} are too many: there is room for {} more", count, room));
}

/// Starts the processes; what MPI says when it cannot is the reason.
MpiJoin startProcesses(int count) {
    try {
        return MpiJoin::start(count);
    } catch (const MpiError& error) {
        throw SlavesCannotJoin(fmt::format("{} (are there free slots? ferryrun --oversubscribe does without)", error.what()));
    } catch (const UsageError& error) {
        throw SlavesCannotJoin(error.what());
    }
}

}    // namespace

bool Application::canRecruit() const noexcept { return growing_ != nullptr; }

void Application::recruit(int count) {
    if (hasThreads()) return recruitThreads(count);
    if (growing_ != nullptr) return recruitProcesses(count);
    throw SlavesCannotJoin(
        watch_ ? fmt::format("{} lets no processes join a job that survives deaths; Open MPI 4 does", MpiEnvironment::libraryName())
               : std::string("ferryrun has not started it (processes can join where it has, with Open MPI 4)"));
}

void Application::admitJoined(std::unique_ptr<Transport> transport) {
    growing_->join(std::move(transport));
    connector().admitJoined();
    shutdowns_.front()->admitJoined();
}

void Application::recruitThreads(int count) {
    const std::size_t firstRank = connectors_.size();
    requireRoom(count, mostRanks - firstRank);
    std::vector<std::unique_ptr<Transport>> transports = threadTransports(count + 1);
    for (std::size_t rank = firstRank; rank < firstRank + static_cast<std::size_t>(count); ++rank) {
        auto transport = std::make_unique<JoinedTransport>(std::move(transports[rank - firstRank + 1]), static_cast<int>(rank));
        connectors_.push_back(std::make_unique<Connector>(std::move(transport), ObjectFactory::global(), RegistryComparison::Skip));
        connectors_.back()->noteJoined();
        shutdowns_.push_back(std::make_unique<Shutdown>(*connectors_.back(), options_.shutdown));
    }
    admitJoined(std::move(transports.front()));
    hooks_->renew(count);
    for (std::size_t rank = firstRank; rank < connectors_.size(); ++rank) startThread(rank);
}

void Application::recruitProcesses(int count) {
    if (!whyNoneCanJoin_.empty()) throw SlavesCannotJoin(whyNoneCanJoin_);
    requireRoom(count, mostRanks);
    std::string watchAddress;
    std::optional<MpiJoin> between;
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
        throw SlavesCannotJoin(fmt::format("the addresses of this host cannot be had: {}", error.what()));
    } catch (...) {
        watch_->expectNoMore(count);
        throw;
    }
    static_cast<void>(between->textOfFirst(Invitation{connector().size(), watchAddress}.text()));
    std::unique_ptr<Transport> transport = between->transport(&watch_->losses());
    try {
        compareRegistriesBetween(*transport);
    } catch (const RegistryMismatch&) {
        whyNoneCanJoin_ = "its program is another one by now than that which the job began with";
        watch_->endStart();
        throw;
    }
    admitJoined(std::move(transport));
    watch_->endStart();
}

/// On a process that the master of a running job has started.
void Application::joinProcesses() {
    options_.shutdown.endMarkerPath.clear();
    const MpiJoin between = MpiJoin::withMaster();
    const Invitation invitation = Invitation::fromText(between.textOfFirst(""));
    const int rank = invitation.firstRank + between.rank() - 1;
    setRankOfThisThread(rank);
    setRankOfProcess(rank);
    watch_ = JobWatch::join(invitation.watchAddress, rank, options_.watch, endsOfWatch(rank));
    std::unique_ptr<Transport> transport = between.transport(&watch_->losses());
    try {
        compareRegistriesBetween(*transport);
    } catch (const RegistryMismatch&) {
        watch_->sayGoodbye();
        ProcessEnd::now(exitStatus::buildMismatch, {});    // the master tells it
    }
    connectors_.push_back(std::make_unique<Connector>(std::make_unique<JoinedTransport>(std::move(transport), rank),
                                                      ObjectFactory::global(), RegistryComparison::Skip));
    connector().noteJoined();
    shutdowns_.push_back(std::make_unique<Shutdown>(connector(), options_.shutdown));
    watch_->endStart();
    shutdowns_.front()->onOver([this] { watch_->sayGoodbye(); });
}

}    // namespace ferry
