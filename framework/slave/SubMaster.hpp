#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/monitor/Trace.hpp>
#include <ferry/framework/parcel/Parcel.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>
#include <ferry/framework/schedule/Schedule.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>
#include <ferry/framework/slave/HandlerExceptions.hpp>
#include <ferry/framework/slave/ReplyBatch.hpp>

namespace ferry::detail {

/// Stands between the master and the slaves of a group. The master gives it tasks like one slave that does many at a time. The sub-master
/// gives them to the slaves by its own schedule, and hands on their replies, many in a letter. It runs no handlers itself.
///
/// Shared objects and submissions of handlers pass through it in order with tasks and replies. When a slave of the group is lost, its tasks
/// go to the master, which decides about them. When all slaves of the group are lost, all tasks go back to the master.
/// Threads: the thread of its rank. Errors: all exceptions of the mailbox; SerializationError for a damaged letter.
class SubMaster {
public:
    /// Serves the group of this rank. The connector must outlive the object. traceRoom: number of waits that are recorded for the master;
    /// 0: none.
    SubMaster(Connector& connector, const SlaveGroups& groups, std::size_t traceRoom = 0);
    SubMaster(const SubMaster&) = delete;
    SubMaster& operator=(const SubMaster&) = delete;

    /// Works until the job ends, and then throws Terminated.
    [[noreturn]] void run();

private:
    using TimePoint = Transport::Clock::time_point;

    struct Entry {
        std::shared_ptr<const Letter> letter;    ///< holds the parcel's body; null: a slave has the task, and the body is empty
        Parcel parcel;
        int slave = waiting;    ///< slave that has the task, or `waiting`
        bool isCancelled = false;
        bool tellsBegin = false;                   ///< the master wants to know when the task begins
        std::shared_ptr<const Letter> raised{};    ///< the exception that the master has raised in the task
    };
    using Entries = std::unordered_map<std::int32_t, Entry>;
    /// The slaves on which the last tasks have failed. The master may try such a task again.
    class Failures {
    public:
        void note(std::int32_t number, int slave);
        /// The slave on which the task has failed, or CallFacts::noSlave.
        int slaveOf(std::int32_t number) const;

    private:
        static constexpr std::size_t mostKept = 1000;
        std::deque<std::pair<std::int32_t, int>> last_;
    };
    /// The reason for which a slave was asked to give calls back.
    enum class Asked { ForGroup, ForMaster };

    static constexpr int waiting = -1;

    void takeInAll();
    void takeIn(Letter letter);
    void takeInFromMaster(Letter letter);
    void takeInFromSlave(int slave, Letter letter);
    void takeTasks(Letter letter);
    void takeNotice(Letter letter);
    void handOn(const Letter& letter);
    void takeReplies(int slave, Letter letter);
    void takeGivenBack(int slave, const std::shared_ptr<const Letter>& letter, const std::vector<Parcel>& parcels);
    bool isAt(int slave, std::int32_t number) const;
    void giveBack(const std::vector<std::int32_t>& numbers);
    void giveBackAll();
    void answerMaster();
    void cancel(const std::vector<std::int32_t>& numbers);
    void answerCancelled(Entries::iterator entry);
    void answerWith(Entries::iterator entry, const std::exception_ptr& exception);
    void raise(Letter letter);
    void handOnRoster(const Letter& letter);
    void tellBegin(std::int32_t number);
    void takeBegun(int slave, const Letter& letter);
    void askSlaves(TaskNotice notice, const std::vector<std::int32_t>& numbers, std::optional<Asked> why);
    void takeInLosses();
    void lose(int slave);
    void feed();
    void send(const Schedule::Assignment& batch);
    void sendRepliesIfDue();
    void rest();
    int rankOf(int slave) const { return firstSlave_ + slave; }

    Connector& connector_;
    const int firstSlave_;    ///< rank of the first slave; the other slaves follow it
    HandlerExceptions exceptions_;
    Schedule schedule_;
    Entries entries_;    ///< by number: tasks that are not answered
    Failures failures_;
    ReplyBatch replies_;
    TraceBuffer trace_;
    std::vector<std::deque<Asked>> asked_;    ///< by slave: requests that the slave has not answered yet
    std::vector<Entry> back_;                 ///< tasks that go back to the master when all slaves have answered
    std::size_t askedForMaster_ = 0;          ///< number of requests ForMaster that are not answered yet
    std::chrono::nanoseconds replyWait_{0};
};

}    // namespace ferry::detail
