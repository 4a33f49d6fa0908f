#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ferry/guard/known/Requests.hpp>
#include <ferry/guard/meeting/Census.hpp>
#include <ferry/guard/meeting/MeetingPlace.hpp>
#include <ferry/guard/meeting/Waiting.hpp>
#include <ferry/guard/region/DeferredCollectives.hpp>

namespace ferry::pmpi {

/// Finds out that no rank of a region can go on.
///
/// A rank asks all others when it has waited for FERRY_GUARD_DEADLOCK seconds (10; 0: never) in one call. The ranks are in a deadlock if
/// all of them have waited for as long, no rank has moved between two rounds, and no message between them is under way. A rank that
/// computes gives no answer: then there is no deadlock.
///
/// A rank that repeats tests in vain counts as one that waits, but may go on by itself. So the ranks are in a deadlock only after
/// FERRY_GUARD_POLLING seconds (0: never); before, one rank tells that it looks like a deadlock.
///
/// With FERRY_GUARD_STANDSTILL seconds (0: never), the job stands still when all ranks that answer have waited for as long, whatever the
/// others do. Ownership: borrows the meeting place, the requests, the collectives and the names of the region.
class StandstillWatch {
public:
    /// VainTests: it looks like a deadlock, and is to be told. VainTestsEnd: a deadlock of ranks some of which repeat tests.
    enum class Finding : std::uint8_t { Nothing, Deadlock, Standstill, VainTests, VainTestsEnd };

    /// passedCalls: the names of calls that the guard does not support.
    StandstillWatch(MeetingPlace& meetingPlace, const Requests& requests, const DeferredCollectives& deferred,
                    const std::vector<std::string>& passedCalls);

    using Clock = std::chrono::steady_clock;

    /// Notes that a wait begins, or is over. since: when a spell of tests has begun.
    void begin(Clock::time_point since = Clock::now()) noexcept;
    /// Notes that the wait goes on. Most calls only count.
    Finding look(const Waiting& waiting);
    /// As look(), each time.
    Finding lookNow(const Waiting& waiting);
    /// The seconds that the present call has waited.
    std::int64_t seconds() const;

private:
    enum class State : std::uint8_t { Watching, Asking, AskingAgain };
    /// The times of the variables of the environment; 0: never.
    struct Limits {
        std::chrono::milliseconds deadlock{0};
        std::chrono::milliseconds standstill{0};
        std::chrono::milliseconds polling{0};
    };
    /// Tests in vain that this rank has told.
    struct Told {
        std::uint64_t serial = 0;    ///< of the wait of this rank at that time
        int count = 0;
    };

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
    int position() const;
    Finding findingOfTests(std::chrono::milliseconds waited);
    bool isAnyMessageUnderWay(const Waiting& waiting) const;

    MeetingPlace& meetingPlace_;
    const Requests& requests_;
    const DeferredCollectives& deferred_;
    const std::vector<std::string>& passedCalls_;
    Limits limits_;
    State state_ = State::Watching;
    std::uint64_t serial_ = 0;    // of the present wait
    std::uint64_t lookCount_ = 0;
    Clock::time_point begin_ = Clock::now();
    std::uint64_t progressAtBegin_ = 0;
    Clock::time_point nextTry_;
    std::chrono::milliseconds pause_{0};    // until the next try
    Told told_;
    Clock::time_point asked_;
    std::vector<std::optional<Census::Wait>> before_;    // the answers of the first round
};

}    // namespace ferry::pmpi
