#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/framework/journal/JournalKey.hpp>
#include <ferry/framework/parcel/Parcel.hpp>
#include <ferry/framework/schedule/Retry.hpp>
#include <ferry/framework/schedule/TaskQueue.hpp>

namespace ferry {

/// An event that a Future waits for. Ownership: shared by the part that completes it and by the futures.
struct Completion : std::enable_shared_from_this<Completion> {
    using Follower = std::function<void(Completion&)>;
    /// A function that is called when a completion is done.
    struct Following {
        Follower follower;
        std::shared_ptr<Completion> completion{};    ///< set when that completion is done
    };

    Completion() = default;
    Completion(const Completion&) = delete;
    Completion& operator=(const Completion&) = delete;
    virtual ~Completion() = default;

    /// The ranks that the caller waits for, and a text that says for what.
    virtual Awaited awaited() const = 0;
    /// The completions that this one depends on and that are not done yet. Empty for a call.
    virtual std::vector<std::shared_ptr<Completion>> openSources() const = 0;

    bool isDone = false;
    std::exception_ptr failure;        ///< null: it did not fail
    bool isLookedAt = false;           ///< a caller has seen the outcome, or has cancelled the completion
    bool isDropped = false;            ///< no caller will ask for the result
    std::list<Following> followers;    ///< called by the Dispatcher, which takes over the list nodes without copies
};

/// One task that is under way: its request, its state and its reply.
struct Call final : Completion {
    using TimePoint = Transport::Clock::time_point;

    enum class Place {
        Waiting,    ///< in the schedule's queue
        Resting,    ///< waits for its next try
        AtSlave,
    };

    Awaited awaited() const override;
    std::vector<std::shared_ptr<Completion>> openSources() const override { return {}; }
    /// Names the task itself, for the texts of errors.
    Awaited task() const;

    std::int32_t number = 0;
    CallFacts facts;
    IntBuffer request;    ///< letter of one parcel. Kept until it is sent, or until the call is done if it may be tried again
    Place place = Place::Waiting;
    int slaveRank = 0;        ///< rank that got the call last, perhaps a sub-master; 0: no rank yet
    int answeringRank = 0;    ///< rank that sent the last reply
    Retry retry;
    int tryNumber = 1;
    TimePoint submitted{};
    TimePoint deadline = TimePoint::max();
    TimePoint nextTry{};                     ///< set while the call is Resting
    bool isCancelled = false;                ///< the slave that has the call was told of the cancellation
    bool isOverdue = false;                  ///< the call was cancelled because its deadline has passed
    std::shared_ptr<const Letter> letter;    ///< letter that holds the reply
    Parcel reply;                            ///< set when the call succeeded
    int slavesAtMost = 3;                    ///< the call fails when this number of slaves was lost with it
    std::vector<int> lostRanks{};            ///< lost ranks that may have been at work on the call
    std::optional<JournalKey> journalKey;    ///< set: the reply belongs into the journal
};

}    // namespace ferry
