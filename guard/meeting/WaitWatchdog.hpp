#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <ferry/guard/known/Requests.hpp>
#include <ferry/guard/meeting/Channel.hpp>
#include <ferry/guard/meeting/RollCall.hpp>
#include <ferry/guard/meeting/Waiting.hpp>

namespace ferry::pmpi {

/// Says on stderr, once for each call, that a call of MPI in a region waits for longer than FERRY_GUARD_WATCHDOG seconds, and for whom.
///
/// For a collective it asks the other ranks first, and gives them a second to answer; of the ranks that wait together the lowest of those
/// that asked speaks. Ownership: borrows the channel and the requests of the region.
class WaitWatchdog {
public:
    WaitWatchdog(Channel& channel, const Requests& requests) : channel_(channel), requests_(requests) {}

    /// Seconds, of the environment of this process; 0: off. Says so on stderr when there is something else in it.
    static double secondsOfEnvironment();

    bool isOn() const noexcept { return channel_.watchSeconds() > 0; }
    /// A wait begins.
    void begin();
    /// It goes on. Only when it is on; the roll call has been looked at.
    void look(const Waiting& waiting);

private:
    enum class State : std::uint8_t { Watching, Asking, Silent };
    using Clock = std::chrono::steady_clock;

    void hearAnswers(const Waiting& waiting);
    RollCall::Place placeOf(const Waiting& waiting) const;
    std::vector<int> ranksOf(const Waiting& waiting) const;
    std::string missingOf(const Waiting& waiting) const;
    std::string othersOf(const Waiting& waiting) const;
    void say(const Waiting& waiting, const std::string& what) const;

    Channel& channel_;
    const Requests& requests_;
    State state_ = State::Watching;
    Clock::time_point begin_;
    std::chrono::system_clock::time_point since_;
    Clock::time_point asked_;
};

}    // namespace ferry::pmpi
