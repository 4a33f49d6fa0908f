#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace ferry {

/// Sees one rank to the end of the job, whatever way that end comes: no rank is left waiting, every rank exits with the same status, and
/// the master prints one report.
///
/// How it goes: a rank that fails reports to the master; the master tells every rank to stop, which throws Terminated from whatever call
/// of Ferry that rank is in; every rank unwinds, says that it has left, and returns. A rank that does not answer within the grace time is
/// named and the job is ended by force.
/// Threads: the thread of its rank.
class Shutdown {
public:
    using Clock = std::chrono::steady_clock;

    /// When a job whose program returns normally is over.
    enum class End {
        WithMaster,    ///< when the master's part returns; slaves only serve
        WithAll,       ///< when every rank's part has returned
    };

    static constexpr std::chrono::milliseconds defaultGrace{2000};

    /// Listens from now on. The connector must outlive the object.
    Shutdown(Connector& connector, std::chrono::milliseconds grace = defaultGrace);
    Shutdown(const Shutdown&) = delete;
    Shutdown& operator=(const Shutdown&) = delete;

    /// Runs this rank's part of the job and everything that follows; the exit status of the job.
    int conduct(End end, const std::function<void()>& part);

    /// Called from exit() on this rank: stops the others first. The exit status of the job.
    int conductExit(int exitStatus);

    /// True when the rank has left the job in order.
    bool isOver() const noexcept { return isOver_; }

private:
    int endMaster(End end, std::exception_ptr failure);
    int endSlave(const std::exception_ptr& failure);

    void listenAsMaster();
    void checkSignal();
    void addFailure(const std::exception_ptr& failure);
    void stopAll(std::exception_ptr cause, int exitStatus, const std::string& reason);
    void reportToMaster(const std::exception_ptr& failure);
    void waitForSlaves();
    void forceEnd(const std::string& explanation);
    bool haveAllLeft() const noexcept { return leftCount_ + 1 >= static_cast<std::size_t>(connector_.size()); }
    void printReport() const;

    Connector& connector_;
    std::chrono::milliseconds grace_;
    std::vector<std::exception_ptr> failures_;    ///< on the master; the cause first
    std::vector<bool> hasLeft_;                   ///< on the master, by rank
    std::size_t leftCount_ = 0;
    std::optional<int> exitStatus_;               ///< known as soon as the job is told to stop
    bool isOver_ = false;
};

} // namespace ferry
