#include <ferry/framework/watch/JobWatch.hpp>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <ferry/framework/monitor/Log.hpp>

namespace ferry {

namespace {

/// Whether the launcher (Open MPI) says that all ranks are on one host. False: not known.
bool areAllOnOneHost(int worldSize) {
    const char* said = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    return said != nullptr && std::to_string(worldSize) == said;
}

}    // namespace

bool JobWatch::isWanted() {
    const char* said = std::getenv("FERRY_SURVIVES_DEATHS");
    const bool isSaid = said != nullptr ? std::string_view(said) == "1" : MpiEnvironment::isRecoveryOn();
    if (!isSaid) return false;
    const std::string library = MpiEnvironment::libraryName();
    if (library.starts_with("Open MPI")) return true;
    logLine(spdlog::level::warn,
            "the job does not survive the death of a slave: {} ends it; with --ferry-journal FILE it goes on when it is "
            "started again",
            library);
    return false;
}

std::unique_ptr<JobWatch> JobWatch::begin(const MpiEnvironment& mpi, const WatchSettings& settings, Watch::Ends ends) {
    auto made = std::make_unique<JobWatch>();
    std::string address;
    if (mpi.worldRank() == 0 && isWanted()) {
        WatchSettings own = settings;
        own.areAllOnOneHost = areAllOnOneHost(mpi.worldSize());
        made->watcher_ = std::make_unique<Watcher>(mpi.worldSize(), own, std::move(ends.onEarlyLoss));
        address = made->watcher_->address().text();
    }
    address = mpi.textOfFirst(address);    // the master's environment decides for all ranks
    if (address.empty()) return nullptr;
    if (mpi.worldRank() != 0)
        made->watch_ = std::make_unique<Watch>(WatchAddress::fromText(address), mpi.worldRank(), settings, std::move(ends));
    return made;
}

std::unique_ptr<JobWatch> JobWatch::join(const std::string& address, int rank, const WatchSettings& settings, Watch::Ends ends) {
    auto made = std::make_unique<JobWatch>();
    made->watch_ = std::make_unique<Watch>(WatchAddress::fromText(address), rank, settings, std::move(ends));
    return made;
}

void JobWatch::endStart() {
    if (watcher_) watcher_->endStart();
    if (watch_) watch_->endStart();
}

void JobWatch::sayGoodbye() noexcept {
    if (watcher_) watcher_->sayGoodbye();
    if (watch_) watch_->sayGoodbye();
}

void JobWatch::end(std::chrono::milliseconds limit) {
    sayGoodbye();
    if (watcher_) watcher_->awaitGoodbyes(limit);
}

}    // namespace ferry
