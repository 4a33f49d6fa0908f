#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ferry/guard/known/Requests.hpp>
#include <ferry/guard/meeting/Census.hpp>
#include <ferry/guard/meeting/Channel.hpp>
#include <ferry/guard/meeting/Waiting.hpp>
#include <ferry/guard/region/DeferredCollectives.hpp>

namespace ferry::pmpi {

/// Finds out that no rank of a region can go on.
///
/// A rank asks all others when it has waited for FERRY_GUARD_DEADLOCK seconds (10; 0: never) in one call. The ranks are in a deadlock if
/// all of them have waited for as long, no rank has moved between two rounds, and no message between them is under way. A rank that
/// computes gives no answer: then there is no deadlock.
///
/// With FERRY_GUARD_STANDSTILL seconds (0: never), the job stands still when all ranks that answer have waited for as long, whatever the
/// others do. Ownership: borrows the channel, the requests, the collectives and the names of the region.
class StandstillWatch {
public:
    enum class Finding : std::uint8_t { Nothing, Deadlock, Standstill };

    /// passedCalls: the names of calls that the guard does not support.
    StandstillWatch(Channel& channel, const Requests& requests, const DeferredCollectives& deferred,
                    const std::vector<std::string>& passedCalls);

    /// Notes that a wait begins, or is over.
    void begin() noexcept;
    /// Notes that the wait goes on.
    Finding look(const Waiting& waiting);
    /// The seconds that the present call has waited.
    std::int64_t seconds() const;

private:
    using Clock = std::chrono::steady_clock;
    enum class State : std::uint8_t { Watching, Asking, AskingAgain };

    std::chrono::milliseconds length() const { return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_); }
    bool canOnlyWait(const Waiting& waiting, bool isSecondRound) const;
    bool mayUnknownSendsBeOpen() const;
    std::vector<Census::OpenMessage> openMessages(const Waiting& waiting) const;
    std::optional<Census::OpenMessage> openMessage(const Operation& operation) const;
    std::optional<Census::OpenMessage> openUnknownMessage(const Operation& operation) const;
    void noteForRollCall(const Waiting& waiting) const;
    void start(State state);
    Finding hearAnswers(const Waiting& waiting);
    bool isSpokenFor() const;
    bool isCertain(std::chrono::milliseconds least) const;
    bool isAnyMessageUnderWay(const Waiting& waiting) const;

    Channel& channel_;
    const Requests& requests_;
    const DeferredCollectives& deferred_;
    const std::vector<std::string>& passedCalls_;
    std::chrono::milliseconds deadlockAfter_;
    std::chrono::milliseconds standstillAfter_;
    State state_ = State::Watching;
    std::uint64_t serial_ = 0;    // of the present wait
    std::uint64_t lookCount_ = 0;
    Clock::time_point begin_;
    std::uint64_t progressAtBegin_ = 0;
    Clock::time_point nextTry_;
    std::chrono::milliseconds pause_{0};    // until the next try
    Clock::time_point asked_;
    std::vector<std::optional<Census::Wait>> before_;    // the answers of the first round
};

}    // namespace ferry::pmpi
