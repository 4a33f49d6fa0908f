#include <ferry/framework/ending/Farewell.hpp>

#include <chrono>
#include <utility>

#include <ferry/connector/message/Departures.hpp>

namespace ferry::detail {

namespace {

constexpr std::chrono::milliseconds timeToFarewell{1000};
constexpr std::chrono::milliseconds timeForList{100};    // by then the master's list of the ranks that are still there has come

}    // namespace

void Farewell::begin(bool isLater) {
    isLater_ = isLater;
    const Transport& transport = mailbox_.transport();
    const std::chrono::milliseconds time = transport.rank() == 0 ? timeToFarewell : timeToFarewell + timeForList;
    at_ = isLater ? transport.now() + time : Clock::time_point::min();
}

void Farewell::sayTo(const std::vector<int>& ranks) {
    at_ = Clock::time_point::max();
    for (const int rank : ranks) {
        if (rank != mailbox_.transport().rank()) mailbox_.departures().sayFarewellTo(rank);
    }
}

void Farewell::sayToAll() {
    at_ = Clock::time_point::max();
    mailbox_.departures().sayFarewell();
}

void Farewell::sayToStayers() {
    if (!isLater_) return sayToAll();
    if (stayers_) return sayTo(*stayers_);
    if (std::exchange(knowsMaster_, true)) return sayToAll();
    mailbox_.departures().sayFarewellTo(0);
    at_ = mailbox_.transport().now() + timeToFarewell;
}

void Farewell::noteStayers(std::vector<int> stayers) {
    stayers_ = std::move(stayers);
    if (knowsMaster_ && at_ != Clock::time_point::max()) sayTo(*stayers_);
}

}    // namespace ferry::detail
