#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/monitor/Trace.hpp>
#include <ferry/framework/parcel/TeamRoster.hpp>
#include <ferry/framework/slave/HandlerExceptions.hpp>
#include <ferry/framework/slave/KeepSettings.hpp>
#include <ferry/framework/slave/KeptStore.hpp>
#include <ferry/framework/slave/ReplyBatch.hpp>
#include <ferry/framework/slave/SharedStore.hpp>
#include <ferry/framework/slave/Slave.hpp>
#include <ferry/framework/slave/SlaveQueue.hpp>
#include <ferry/framework/slave/Task.hpp>
#include <ferry/serialization/exception/TaskScope.hpp>

namespace ferry::detail {

/// The loop of one slave: takes tasks from its master, runs their handlers, and answers with replies or exceptions. The master is rank 0 or
/// the sub-master of the slave's group. When the sub-master is lost, rank 0 takes its place.
class SlaveLoop {
public:
    /// The definition and the connector must outlive the loop. traceRoom: number of events that are recorded for rank 0; 0: none.
    SlaveLoop(const Slave& definition, Connector& connector, int masterRank = 0, std::size_t traceRoom = 0,
              const KeepSettings& keeping = {});
    SlaveLoop(const SlaveLoop&) = delete;
    SlaveLoop& operator=(const SlaveLoop&) = delete;
    ~SlaveLoop();

    /// Works until the master dismisses the slave. Errors: Terminated when the job ends before; AssertionFailure when an xassert of a
    /// handler failed.
    void run();

    /// Whether the task whose handler runs is cancelled, as far as arrived letters tell. Errors: throws an exception that is due (the job
    /// stops).
    bool isCancelled();

    /// The rank that gives this slave its tasks.
    int masterRank() const noexcept { return masterRank_; }

private:
    using TimePoint = Transport::Clock::time_point;
    /// The packed reply, or the exception of the handler or of the writing of its reply.
    using Outcome = std::variant<IntBuffer, std::exception_ptr>;
    /// The task whose handler runs.
    struct Running {
        std::int32_t number = 0;    ///< 0: no handler runs
        bool isCancelled = false;
        bool isForgotten = false;              ///< no rank wants the answer
        bool isUnwanted = false;               ///< the master has removed the result that the task makes
        bool isCalledOff = false;              ///< the master has named the task among those that are cancelled
        std::optional<TeamRoster> roster{};    ///< set for a task of a team, when all members have begun
        std::int32_t keeps = 0;                ///< number under which the result stays here; 0: the result travels to the master
    };

    void takeInAll();
    void awaitLetter();
    const Filter& lettersOfMasters() const;
    void takeIn(Letter letter);
    void refuse(const Letter& letter);
    void takeInArrived();
    bool isRunning(std::int32_t number) const noexcept { return number != 0 && number == running_.number; }
    void takeNotice(const Letter& letter);
    bool takeAtOnce(const Letter& notice);
    void raise(std::int32_t number, const Letter& notice);
    void takeRoster(const Letter& letter);
    void tellBegin(std::int32_t number);
    void sayBegun(std::int32_t number);
    void changeMaster(int rank);
    void giveBack(const std::vector<std::int32_t>& numbers);
    void giveBackInWait();
    void cancel(const std::vector<std::int32_t>& numbers);
    void doNext();
    void useShared(const Envelope& notice);
    void takeInShared(Letter letter);
    TimePoint work(const SlaveQueue::Task& task);
    void endIfSpoiled(std::int32_t number, const std::exception_ptr& failure);
    void answer(std::int32_t number, Outcome outcome, std::chrono::nanoseconds taken);
    Outcome runHandler(const SlaveQueue::Task& task);
    std::unique_ptr<Message> callHandler(const SlaveQueue::Task& task, TaskScope& scope);
    std::unique_ptr<Message> callInTeam(const Slave::Handler& handler, const Message& request, Task& context);
    void awaitRoster();
    bool fetchResults();
    IntBuffer keepResult(std::int32_t task, std::unique_ptr<Message> result);
    void dropStrays();

    const Slave& definition_;
    Connector& connector_;
    int masterRank_;
    SharedStore shared_;
    KeptStore kept_;
    SlaveState state_;
    HandlerExceptions exceptions_;
    SlaveQueue queue_;
    ReplyBatch replies_;
    TraceBuffer trace_;
    TimePoint lastLook_{};    ///< time of the last look for letters
    TimePoint lastEnd_{};     ///< time at which the last task ended
    Running running_;
    std::chrono::nanoseconds replyWait_{0};    ///< how long a reply may wait for replies to the other tasks of the same letter
    bool isDismissed_ = false;
};

}    // namespace ferry::detail
