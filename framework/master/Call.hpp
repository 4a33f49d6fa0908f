#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/framework/journal/JournalKey.hpp>
#include <ferry/framework/master/Completion.hpp>
#include <ferry/framework/parcel/Parcel.hpp>
#include <ferry/framework/schedule/Retry.hpp>
#include <ferry/framework/schedule/TaskQueue.hpp>

namespace ferry::detail {

class Mailbox;
struct Bundle;
struct KeptPart;
struct TeamCalls;

/// One task that is under way: its request, its state and its reply.
struct Call final : Completion {
    using TimePoint = Transport::Clock::time_point;

    enum class Place : std::uint8_t {
        Held,       ///< waits until its team may gather, or until the results that it reads are there
        Waiting,    ///< in the schedule's queue
        Resting,    ///< waits for its next try
        AtSlave,
    };

    Awaited awaited() const override;
    std::span<const std::weak_ptr<Completion>> dependsOn() const noexcept override { return {}; }
    void dropResult() noexcept override {
        letter.reset();
        kept.reset();
    }
    /// Names the task itself, for the texts of errors.
    Awaited task() const;
    /// Notes the time of the submission, and the deadline if there is one.
    void setDeadline(const Deadline& end, const Connector& connector);
    /// The failure of a task whose deadline has passed at `now`.
    std::exception_ptr timeOut(TimePoint now) const;
    /// Notes that a rank was lost that may have been at work on the call. Returns the number of such ranks.
    int noteLost(int rank);
    /// The failure of a task with which too many slaves were lost.
    std::exception_ptr poisoned(const ObjectFactory& factory) const;

    // A job may have a million open calls, and each step with a call fetches it from memory. So members lie without gaps, and what few
    // calls have is behind pointers.
    bool isCancelled = false;    ///< the slave that has the call was told of the cancellation
    bool isOverdue = false;      ///< the call was cancelled because its deadline has passed
    bool isRepeatable = true;    ///< TaskOptions::isRepeatable
    Place place = Place::Waiting;
    std::int32_t number = 0;
    int slaveRank = 0;        ///< rank that got the call last, perhaps a sub-master; 0: no rank yet
    int answeringRank = 0;    ///< rank that sent the last reply
    int tryNumber = 1;
    int handOutCount = 0;    ///< number of times that the call was sent to a slave
    int begunOn = 0;         ///< the slave that has begun the call since it was sent last, as far as the master has asked
    int slavesAtMost = 3;    ///< the call fails when this number of slaves was lost with it
    CallFacts facts;
    IntBuffer request;    ///< letter of one parcel. Kept until it is sent, or until the call is done if it may be tried again
    Retry retry;
    TimePoint submitted{};
    TimePoint deadline = TimePoint::max();
    TimePoint nextTry{};                     ///< set while the call is Resting
    std::exception_ptr raised;               ///< set: the exception that the program has raised in the task. The task is not begun again
    std::shared_ptr<const Letter> letter;    ///< letter that holds the reply
    Parcel reply;                            ///< set when the call succeeded
    std::unique_ptr<std::vector<int>> lostRanks;     ///< lost ranks that may have been at work on the call; null: none
    std::unique_ptr<const JournalKey> journalKey;    ///< set: the reply belongs into the journal
    std::shared_ptr<TeamCalls> team;                 ///< set: several slaves do the task together, and this is the call of one of them
    std::shared_ptr<Bundle> bundle{};    ///< set: the call stands for several tasks of a map, and no caller waits for the call itself
    std::shared_ptr<KeptPart> kept{};    ///< set: the task reads results of slaves, or its result stays with its slave
};

/// Packs the task of a call as a letter. isOfTeam: several slaves do the task together. keptNumber: the number of the result that stays
/// with the slave; 0: the reply travels to the master.
IntBuffer packTask(Mailbox& mailbox, const Call& call, const Message& task, bool isOfTeam, std::int32_t keptNumber);

/// The call whose slave a program asks for. Errors: UsageError when the completion is no call.
const Call& callOf(const Completion& completion);
Call& callOf(Completion& completion);

/// Whether the failure of a call says that it was cancelled. The list of a team says so when all of its failures do.
bool isCancellation(const std::exception_ptr& failure);

}    // namespace ferry::detail
