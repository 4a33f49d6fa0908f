#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <variant>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/monitor/Trace.hpp>
#include <ferry/framework/slave/ReplyBatch.hpp>
#include <ferry/framework/slave/SharedStore.hpp>
#include <ferry/framework/slave/Slave.hpp>
#include <ferry/framework/slave/SlaveQueue.hpp>
#include <ferry/framework/slave/Task.hpp>
#include <ferry/serialization/exception/TaskScope.hpp>

namespace ferry {

/// One slave at work: takes tasks from its master, runs their handlers, and answers with replies or exceptions. Its master is rank 0, or
/// the sub-master of its group; when that is lost, rank 0 takes its place.
class SlaveLoop {
public:
    /// Definition and connector must outlive the loop. With room for events it records them, for rank 0.
    SlaveLoop(const Slave& definition, Connector& connector, int masterRank = 0, std::size_t traceRoom = 0);
    SlaveLoop(const SlaveLoop&) = delete;
    SlaveLoop& operator=(const SlaveLoop&) = delete;
    ~SlaveLoop();

    /// Works until the master dismisses it, and returns then. Throws Terminated when the job ends before, and AssertionFailure when an
    /// xassert of a handler failed.
    void run();

    /// Whether the task whose handler runs is cancelled, by what has arrived by now. Throws what is due.
    bool isCancelled();

    /// Who gives it its tasks.
    int masterRank() const noexcept { return masterRank_; }

private:
    using TimePoint = Transport::Clock::time_point;
    /// The packed reply, or what the handler (or the writing of its reply) threw.
    using Outcome = std::variant<IntBuffer, std::exception_ptr>;

    void takeInAll();
    void awaitLetter();
    const Filter& lettersOfMasters() const;
    void takeIn(Letter letter);
    void refuse(const Letter& letter);
    void takeNotice(const Letter& letter);
    void changeMaster(int rank);
    void giveBack(const std::vector<std::int32_t>& numbers);
    void cancel(const std::vector<std::int32_t>& numbers);
    void doNext();
    void useShared(const Envelope& notice);
    void takeInShared(Letter letter);
    TimePoint work(const SlaveQueue::Task& task);
    void answer(std::int32_t number, Outcome outcome, std::chrono::nanoseconds taken);
    Outcome runHandler(const SlaveQueue::Task& task);
    std::unique_ptr<Message> callHandler(const SlaveQueue::Task& task, TaskScope& scope);

    const Slave& definition_;
    Connector& connector_;
    int masterRank_;
    SharedStore shared_;
    SlaveState state_;
    SlaveQueue queue_;
    ReplyBatch replies_;
    TraceBuffer trace_;
    TimePoint lastLook_{};        ///< for letters
    TimePoint lastEnd_{};         ///< of a task
    std::int32_t running_ = 0;    ///< the number of the task whose handler runs; 0: none
    bool isRunningCancelled_ = false;
    bool isRunningForgotten_ = false;          ///< nobody wants the answer to the task whose handler runs
    std::chrono::nanoseconds replyWait_{0};    ///< how long replies may wait for those of the tasks that came with theirs
    bool isDismissed_ = false;
};

}    // namespace ferry
