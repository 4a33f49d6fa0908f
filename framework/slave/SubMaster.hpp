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
#include <ferry/framework/slave/ReplyBatch.hpp>

namespace ferry {

/// Stands between the master and the slaves of a group: is given tasks as one slave that does many at a time, gives them to the slaves by a
/// schedule of its own, and hands their replies on, many in a letter. It does no tasks itself.
///
/// What is shared, and what handlers submit, passes through it in order with tasks and replies. When a slave of the group is lost, what it
/// had not begun goes to others of the group, and the master decides about the rest; when all are lost, everything goes back. Threads: that
/// of its rank. Errors: what the mailbox throws; SerializationError for a damaged letter.
class SubMaster {
public:
    /// For the group of this rank. The connector must outlive the object. With room for events it records its waits, for the master.
    SubMaster(Connector& connector, const SlaveGroups& groups, std::size_t traceRoom = 0);
    SubMaster(const SubMaster&) = delete;
    SubMaster& operator=(const SubMaster&) = delete;

    /// Works until the job ends, and throws Terminated then.
    [[noreturn]] void run();

private:
    using TimePoint = Transport::Clock::time_point;

    struct Entry {
        std::shared_ptr<const Letter> letter;    ///< holds the parcel's body
        Parcel parcel;
        int slave = waiting;    ///< who has it; or waiting
        bool isCancelled = false;
    };
    using Entries = std::unordered_map<std::int32_t, Entry>;
    /// Where tasks have failed, which may come again: of the last ones.
    class Failures {
    public:
        void note(std::int32_t number, int slave);
        /// Or CallFacts::noSlave.
        int slaveOf(std::int32_t number) const;

    private:
        static constexpr std::size_t mostKept = 1000;
        std::deque<std::pair<std::int32_t, int>> last_;
    };
    /// Why a slave was asked to give calls back.
    enum class Asked { ForGroup, ForMaster };

    static constexpr int waiting = -1;

    void takeInAll();
    void takeIn(Letter letter);
    void takeInFromMaster(Letter letter);
    void takeInFromSlave(int slave, Letter letter);
    void takeTasks(Letter letter);
    void takeNotice(const Letter& letter);
    void handOn(const Letter& letter);
    void takeReplies(int slave, Letter letter);
    void takeGivenBack(int slave, const std::shared_ptr<const Letter>& letter, const std::vector<Parcel>& parcels);
    bool isAt(int slave, std::int32_t number) const;
    void giveBack(const std::vector<std::int32_t>& numbers);
    void giveBackAll();
    void answerMaster();
    void cancel(const std::vector<std::int32_t>& numbers);
    void answerCancelled(Entries::iterator entry);
    void askSlaves(TaskNotice notice, const std::vector<std::int32_t>& numbers, std::optional<Asked> why);
    void takeInLosses();
    void lose(int slave);
    void feed();
    void send(const Schedule::Assignment& batch);
    void sendRepliesIfDue();
    void rest();
    int rankOf(int slave) const { return firstSlave_ + slave; }

    Connector& connector_;
    const int firstSlave_;         ///< its rank; the others follow
    const bool survivesLosses_;    ///< then what a task needs to be sent again is kept
    Schedule schedule_;
    Entries entries_;    ///< by number: tasks that are not answered
    Failures failures_;
    ReplyBatch replies_;
    TraceBuffer trace_;
    std::vector<std::deque<Asked>> asked_;    ///< by slave: what it has not answered yet
    std::vector<Entry> back_;                 ///< what the master gets back when all have answered
    std::size_t askedForMaster_ = 0;          ///< how many have not
    std::chrono::nanoseconds replyWait_{0};
};

}    // namespace ferry
