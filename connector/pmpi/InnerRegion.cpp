// What a region does for regions inside of it, and as one.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/pmpi/Membership.hpp>
#include <ferry/connector/pmpi/Region.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::pmpi {

namespace {

/// What a region inside would disturb when it fails, since its collectives and markers would meet these; null: nothing.
const char* obstacleAmong(const Requests& requests) {
    for (const Requests::Entry& entry : requests.all()) {
        if (entry.operation.kind == RequestKind::Collective) return "a non-blocking collective";
        if (entry.operation.kind == RequestKind::Receive && entry.operation.tag == MPI_ANY_TAG) return "a receive from any tag";
    }
    return nullptr;
}

}    // namespace

/// The ranks meet before it, as before a collective call: so none of them can fail outside of it while others are in it.
void Region::runInner(MPI_Comm communicator, const std::function<void()>& run) {
    constexpr const char* name = "ferry::guarded";
    if (!admits()) return;
    Communicator* const known = use(name, communicator);
    if (known == nullptr) return;
    if (const char* obstacle = obstacleAmong(requests_)) {
        reject(UsageError(fmt::format("a guarded region inside of another one is not supported while {} of that is under way", obstacle)));
        return;
    }
    EntryBarrier barrier;
    if (haveAllCome(name, *known, barrier)) return run();
    Interrupted interrupted{known, barrier, known->entered, run, true};
    fail(&interrupted);
}

void Region::noteInner(MPI_Comm communicator, const ExceptionList& list) {
    Communicator* known = Communicators::ofProcess().find(communicator);
    if (known == nullptr || !isWithin(*known, channel_)) return;
    innerFailure_ = InnerFailure{list, known->regionRanks};
}

void Region::translate(const ExceptionList& list, std::vector<FailureRecord>& records) const {
    // Copies of a list share what is in it.
    if (!innerFailure_ || innerFailure_->list.records().data() != list.records().data()) return;
    const auto outerRank = [this](std::int32_t rank) { return innerFailure_->ranks.at(static_cast<std::size_t>(rank)); };
    for (FailureRecord& record : records) {
        record.rank = outerRank(record.rank);
        std::transform(record.ranks.begin(), record.ranks.end(), record.ranks.begin(), outerRank);
        std::sort(record.ranks.begin(), record.ranks.end());
    }
}

/// What is under way when a region inside of another one has ended belongs to that.
void Region::handOver() {
    for (const Requests::Entry& entry : requests_.all()) outer_->requests_.add(entry.request, entry.operation);
    for (const MatchedMessage& matched : matched_.all()) outer_->matched_.add(matched);
    outer_->hasFreed_ = outer_->hasFreed_ || hasFreed_;
}

void Region::forget(MPI_Request request) noexcept {
    for (Region* region = this; region != nullptr; region = region->outer_) region->requests_.remove(request);
}

Region* Region::ownerOf(MPI_Request request) noexcept {
    for (Region* region = this; region != nullptr; region = region->outer_) {
        if (region->requests_.contains(request)) return region;
    }
    return nullptr;
}

std::optional<MatchedMessage> Region::takeMatched(MPI_Message message) {
    for (Region* region = this; region != nullptr; region = region->outer_) {
        if (const auto matched = region->matched_.remove(message)) return matched;
    }
    return std::nullopt;
}

}    // namespace ferry::pmpi
