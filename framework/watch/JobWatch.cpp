#include <ferry/framework/watch/JobWatch.hpp>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/watch/ProcessState.hpp>
#include <ferry/framework/watch/Sockets.hpp>
#include <ferry/framework/watch/WatchSecret.hpp>

namespace ferry::detail {

namespace {

/// Whether the launcher (Open MPI) says that all ranks are on one host. False: not known.
bool areAllOnOneHost(int worldSize) {
    const char* said = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    return said != nullptr && std::to_string(worldSize) == said;
}

/// Whether the launcher (Open MPI 4) says that it starts processes on this host alone. False: not known.
bool isOneHostAllThereIs() {
    const char* said = std::getenv("OMPI_MCA_orte_num_nodes");
    return said != nullptr && std::string_view(said) == "1";
}

// Number of ranks that can succeed the master, one after the other.
constexpr int mostSuccessors = 15;

/// All ranks call it together.
Succession successionOf(const MpiEnvironment& mpi) {
    Succession succession;
    succession.rankCount = mpi.worldSize();
    std::string own;
    if (mpi.worldRank() >= 1 && mpi.worldRank() <= mostSuccessors) {
        succession.listener = listenOnAnyPort(succession.port, areAllOnOneHost(mpi.worldSize()) ? Reach::ThisHost : Reach::AllHosts);
        succession.secret = makeWatchSecret();
        own = WatchAddress{succession.port, succession.secret, hostIdentity(), ownAddresses(Watcher::mostAddresses)}.text();
    }
    const std::vector<std::string> texts = mpi.textsOfAll(own);
    for (int rank = 0; rank < mpi.worldSize() && rank <= mostSuccessors; ++rank)
        succession.addresses.push_back(rank == 0 ? WatchAddress() : WatchAddress::fromText(texts[static_cast<std::size_t>(rank)]));
    return succession;
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
        own.areJoinersOnThisHost = own.areAllOnOneHost && isOneHostAllThereIs();
        made->watcher_ = std::make_unique<Watcher>(mpi.worldSize(), own, std::move(ends.onEarlyLoss));
        address = made->watcher_->address().text();
    }
    address = mpi.textOfFirst(address);    // the master's environment decides for all ranks
    if (address.empty()) return nullptr;
    if (mpi.worldRank() != 0)
        made->watch_ = std::make_unique<Watch>(WatchAddress::fromText(address), mpi.worldRank(), settings, std::move(ends));
    Succession succession = successionOf(mpi);
    if (made->watch_) made->watch_->prepareSuccession(std::move(succession));
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
    if (watch_) watch_->awaitGoodbyes(limit);
}

}    // namespace ferry::detail
