#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/connector/transport/simulation/RankEnding.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/connector/transport/simulation/SimulatedNetwork.hpp>
#include <ferry/connector/transport/simulation/SimulationOptions.hpp>
#include <ferry/connector/transport/simulation/SimulationTrace.hpp>
#include <ferry/connector/transport/simulation/Turns.hpp>

namespace ferry::detail {

/// The world in which simulated ranks live: a clock, a network, and the order in which ranks run. One seed fixes all three.
///
/// Each rank has a thread of its own, but only one thread runs at a time. Another rank may get the turn at every call of a transport. A
/// call takes a microsecond of simulated time (SimulationOptions::callTime), computing takes none. When all ranks rest, the clock jumps to
/// the next event. Ownership: outlives its transports. Threads: one thread makes, runs and asks the simulation, while the ranks do not run.
/// Errors: a rank's call throws SimulatedDeadlock when no rank can go on, SimulationLimitReached, the exception of a Fault, or a
/// RankEnding.
class Simulation {
public:
    /// Errors: UsageError when the number of ranks is not positive, a fault names another rank, or a time of the options is impossible.
    Simulation(int rankCount, SimulationOptions options);
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    int size() const noexcept { return static_cast<int>(ranks_.size()); }

    /// The rank's end of the network, decorated as the options say.
    std::unique_ptr<Transport> transport(int rank);

    /// The way in which the part of a rank ended.
    struct Ending {
        RankEnd how = RankEnd::Returned;
        std::exception_ptr exception = nullptr;    ///< for Threw
        std::uint64_t callCount = 0;               ///< calls of the transport
        bool isGivenUp = false;                    ///< the others take the rank for dead: it is no survivor, though it may have returned
    };

    /// Runs the part of each rank until all have ended. May be called once; another call throws UsageError. The parts are called on threads
    /// of their own, which share one processor.
    std::vector<Ending> run(const std::function<void(int rank)>& part);

    /// Tells whether the rank can still be heard: the rank has not been killed, and the simulation goes on.
    bool isUp(int rank) const noexcept { return stop_ == Stop::None && !own(rank).isKilled; }

    /// Lets a rank that leaves by a fault speak again. The rank has unwound, and may say farewell.
    void letSpeak(int rank) noexcept { own(rank).isLeaving = false; }

    /// The reason for which the simulation could not go on: the text of the exception that its ranks were thrown. Empty when it could.
    const std::string& stuckText() const noexcept { return stopText_; }
    /// The status with which a rank ended the job by force, if one did.
    std::optional<int> abortStatus() const noexcept { return abortStatus_; }
    const SimulationTrace& trace() const noexcept { return trace_; }
    std::chrono::microseconds time() const noexcept { return std::chrono::microseconds(timeUs_); }
    /// The time on the rank's own clock.
    std::chrono::microseconds timeOf(int rank) const noexcept;

private:
    friend class SimulatedTransport;
    using Event = SimulationTrace::Event;

    static constexpr int ordinaryRate = 1000;

    enum class Stop { None, Deadlock, Limit, Abort };
    /// The news that a rank is lost, for a rank that is to hear of it.
    struct News {
        std::int64_t atUs = 0;
        int of = -1;
    };
    struct Rank {
        bool isResting = false;
        bool hasEnded = false;
        bool isKilled = false;
        bool isGivenUp = false;         // the others take the rank for dead
        bool isLeaving = false;         // the rank leaves by a fault, and still unwinds
        bool awaitsSends = false;       // the rank has asked about its packets: its next rest ends when one moves on
        bool haveSendsMoved = false;    // a packet has moved on since
        std::int64_t restsUntilUs = 0;
        std::int64_t plannedUs = SimulatedNetwork::Never;    // its entry in planned_
        std::uint64_t callCount = 0;
        RankEnd how = RankEnd::Returned;
        const Transport::WaitText* waitText = nullptr;    // describes the wait in which the rank rests
        std::atomic<bool> isWoken{false};
        std::vector<News> news{};                           // news that the rank has not heard yet
        std::int64_t endsAtUs = SimulatedNetwork::Never;    // time of death after a Silence
        std::int64_t pausesUntilUs = 0;                     // end of a Pause
        std::int64_t clockAheadUs = 0;                      // sum of the rank's Leaps
        int clockRate = ordinaryRate;                       // of the rank's clock, in thousandths of simulated time
    };

    // The next functions are called by the transports, on the thread of their rank.
    void send(int rank, int to, Channel channel, IntBuffer ints);
    std::optional<Packet> poll(int rank);
    void rest(int rank, std::chrono::microseconds atMost);
    std::size_t noteAsked(int rank, std::size_t count) noexcept;
    std::size_t countUnderWay(int rank) noexcept { return noteAsked(rank, network_.countUnderWay(rank)); }
    std::size_t countUntaken(int rank, int to) noexcept { return noteAsked(rank, network_.countUntaken(rank, to)); }
    const Transport::WaitText* describeWaitBy(int rank, const Transport::WaitText* text) noexcept {
        return std::exchange(own(rank).waitText, text);
    }
    void wake(int rank) noexcept;
    [[noreturn]] void abort(int rank, int exitStatus);
    [[noreturn]] void die(int rank);
    bool tellsDeaths() const noexcept { return options_.tellsDeathsWithin != std::chrono::microseconds::max(); }
    std::optional<Loss> nextLoss(int rank);
    void close(int rank) { network_.close(rank); }

    void enter(int rank);
    void throwIfOver(int rank) const;
    void meetFaults(int rank);
    void pause(int rank, std::int64_t lengthUs);
    bool isPausing(int rank) const noexcept;
    void kill(int rank);
    void noteDeath(int rank);
    bool watches(int rank) const noexcept;
    void tell(int rank, int of);
    void handWatchOn();
    std::int64_t nextTellingUs(int rank) const noexcept;
    void stop(Stop why, std::string text);
    std::string describeRanks() const;
    std::string describe(int rank) const;

    void arriveDue();
    void wakeDue();
    void makeReady(int rank);
    void letRest(int rank);
    std::int64_t endOfRest(int rank, std::int64_t atMostUs) const noexcept;
    std::int64_t dueUs(int rank) const noexcept;
    void planAgain(int rank);
    void noteMoved(int sender);
    void passTurn(int rank);
    int chooseNext(int rank);
    std::int64_t nextEventUs() const noexcept;
    void runPart(int rank, const std::function<void(int)>& part, Ending& ending);

    Rank& own(int rank) noexcept { return ranks_[static_cast<std::size_t>(rank)]; }
    const Rank& own(int rank) const noexcept { return ranks_[static_cast<std::size_t>(rank)]; }

    SimulationOptions options_;
    SeededRandom random_;
    SimulatedNetwork network_;
    SimulationTrace trace_;
    std::deque<Rank> ranks_;
    std::vector<int> ready_;                            // ranks that could run
    std::set<std::pair<std::int64_t, int>> planned_;    // wake-up time and rank, for ranks at rest that something will wake
    Turns turns_;                                       // one more turn than ranks: the last belongs to run()
    std::uint64_t switchOneIn_;
    bool hasRun_ = false;
    std::int64_t timeUs_ = 0;
    std::uint64_t callCount_ = 0;
    int endedCount_ = 0;
    std::atomic<bool> isAnyWoken_{false};
    Stop stop_ = Stop::None;
    std::string stopText_;
    std::optional<int> abortStatus_;
};

}    // namespace ferry::detail
