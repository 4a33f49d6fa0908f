#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <ferry/guard/known/Requests.hpp>
#include <ferry/guard/meeting/MeetingPlace.hpp>
#include <ferry/guard/meeting/RollCall.hpp>
#include <ferry/guard/meeting/Waiting.hpp>

namespace ferry::pmpi {

/// Prints on stderr that a call of MPI in a region waits longer than FERRY_GUARD_WATCHDOG seconds, and for which ranks. It prints once per
/// call.
///
/// For a collective, the watchdog first asks the other ranks. They have as long to answer as the watchdog has waited, and at least a second.
/// If several waiting ranks have asked, the
/// lowest of them prints. Ownership: borrows the meeting place and the requests of the region.
class WaitWatchdog {
public:
    WaitWatchdog(MeetingPlace& meetingPlace, const Requests& requests) : meetingPlace_(meetingPlace), requests_(requests) {}

    /// The seconds in the environment of this process; 0: off. Prints on stderr when the variable holds no valid number.
    static double secondsOfEnvironment();

    /// The operations that a wait is for, in words.
    static std::string inWords(const Waiting& waiting, const Requests& requests);

    bool isOn() const noexcept { return meetingPlace_.watchSeconds() > 0; }
    /// Notes that a wait begins.
    void begin();
    /// Notes that the wait goes on. To be called only if isOn(), after RollCall::look().
    void look(const Waiting& waiting);

private:
    enum class State : std::uint8_t { Watching, Asking, Silent };
    using Clock = std::chrono::steady_clock;

    void hearAnswers(const Waiting& waiting);
    RollCall::Place placeOf(const Waiting& waiting) const;
    std::vector<int> ranksOf(const Waiting& waiting) const;
    std::string missingOf(const Waiting& waiting) const;
    void say(const Waiting& waiting, const std::string& what) const;

    MeetingPlace& meetingPlace_;
    const Requests& requests_;
    State state_ = State::Watching;
    Clock::time_point begin_;
    std::chrono::system_clock::time_point since_;
    Clock::time_point asked_;
};

}    // namespace ferry::pmpi
