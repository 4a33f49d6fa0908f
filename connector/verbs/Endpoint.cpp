#include <ferry/connector/verbs/Endpoint.hpp>

#include <utility>

#include <fmt/format.h>

#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/GroupTransport.hpp>
#include <ferry/connector/message/state/Standstill.hpp>
#include <ferry/connector/transport/requireDuration.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

Endpoint::Endpoint(std::unique_ptr<Transport> transport, const ObjectFactory& factory)
    : transport_(std::move(transport)),
      factory_(factory),
      mailbox_(*transport_, factory_) {}

Endpoint::Endpoint(std::unique_ptr<GroupTransport> transport, const ObjectFactory& factory)
    : transport_(std::move(transport)),
      factory_(factory),
      mailbox_(static_cast<GroupTransport&>(*transport_), factory_) {}

Endpoint::~Endpoint() = default;

void Endpoint::findDeadlocksAfter(std::chrono::microseconds quietTime) {
    using Duration = Transport::Clock::duration;
    constexpr std::chrono::hours year(24 * 365);
    requireDuration("findDeadlocksAfter", quietTime);
    const Duration time = quietTime >= year ? Duration::max() : Duration(quietTime);
    mailbox_.standstill().setQuietTime(time);
    mailbox_.standstill().setQuietTimeOfTeams(time);
}

void Endpoint::admitJoined() {
    mailbox_.departures().admitJoined();
    size_ = transport_->size();
}

void Endpoint::noteJoined() {
    mailbox_.departures().noteJoined();
    hasJoined_ = true;
}

void Endpoint::requireReached(int rank) const {
    if (rank < 0 || rank >= size_) throw UsageError(fmt::format("rank {} does not exist: there are {}", rank, size()));
    if (rank != 0 && rank != rank_)
        throw UsageError(
            fmt::format("rank {} is not reached from rank {}, which has joined while the job runs: rank 0 alone is", rank, rank_));
}

}    // namespace ferry::detail
