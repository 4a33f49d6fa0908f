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

/// Something whose end a Future waits for. It is owned by whoever will bring it about, and by the futures.
struct Completion : std::enable_shared_from_this<Completion> {
    using Follower = std::function<void(Completion&)>;
    /// A function to be called when a completion is done.
    struct Following {
        Follower follower;
        std::shared_ptr<Completion> completion{};    ///< set when that completion is done
    };

    Completion() = default;
    Completion(const Completion&) = delete;
    Completion& operator=(const Completion&) = delete;
    virtual ~Completion() = default;

    /// Who is waited for, and what for.
    virtual Awaited awaited() const = 0;
    /// Those whose ends bring this one about and are still to come; none for a call.
    virtual std::vector<std::shared_ptr<Completion>> openSources() const = 0;

    bool isDone = false;
    std::exception_ptr failure;        ///< null: it did not fail
    bool isLookedAt = false;           ///< a caller has seen how it ended, or has cancelled it
    bool isDropped = false;            ///< nobody will ask for its result
    std::list<Following> followers;    ///< called by the Dispatcher, to which the entries move as they are
};

/// One task on its way: what travels out, and what has come back.
struct Call final : Completion {
    using TimePoint = Transport::Clock::time_point;

    enum class Place {
        Waiting,    ///< in the schedule's queue
        Resting,    ///< until it is tried again
        AtSlave,
    };

    Awaited awaited() const override;
    std::vector<std::shared_ptr<Completion>> openSources() const override { return {}; }
    /// The task itself, for texts.
    Awaited task() const;

    std::int32_t number = 0;
    CallFacts facts;
    IntBuffer request;    ///< a letter of one parcel, until it is sent; of a call that may be tried again, until it is done
    Place place = Place::Waiting;
    int slaveRank = 0;        ///< who was given it last, perhaps a sub-master; 0: nobody yet
    int answeringRank = 0;    ///< whose reply is the last one
    Retry retry;
    int tryNumber = 1;
    TimePoint submitted{};
    TimePoint deadline = TimePoint::max();
    TimePoint nextTry{};                     ///< while it rests
    bool isCancelled = false;                ///< the slave that has it was told
    bool isOverdue = false;                  ///< and that for its deadline
    std::shared_ptr<const Letter> letter;    ///< in which the reply came
    Parcel reply;                            ///< when it succeeded
    int slavesAtMost = 3;                    ///< it is given up when so many were lost with it
    std::vector<int> lostRanks{};            ///< those that may have been at work on it
    std::optional<JournalKey> journalKey;    ///< its reply belongs into the journal
};

}    // namespace ferry
