#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <unordered_map>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/Schedule.hpp>

namespace ferry {

/// One task on its way: what travels out, and what has come back.
struct Call {
    std::int32_t number = 0;
    IntBuffer request;    ///< envelope and task, until it is sent
    int slaveRank = 0;    ///< who has it; 0: nobody yet
    bool isDone = false;
    Letter reply;                  ///< when it succeeded
    std::exception_ptr failure;    ///< when it failed
    bool isLookedAt = false;       ///< somebody has seen how it ended
};

/// Sends calls to the slaves as the schedule decides and takes in what comes back.
///
/// Threads: the master's. Errors: what the mailbox throws.
class Dispatcher {
public:
    /// The connector must outlive the dispatcher. Ranks 1 and up are the slaves.
    explicit Dispatcher(Connector& connector);
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    int slaveCount() const noexcept { return schedule_.slaveCount(); }

    /// Queues a task; what is written is on its way when the call returns, or waits for a slave.
    std::shared_ptr<Call> submit(const Message& task);

    /// Waits until the call is done.
    void wait(const Call& call);

    /// Waits until the condition holds; it is looked at whenever something came back.
    void waitUntil(const std::function<bool()>& condition);

    /// Takes in what has come back, without waiting.
    void poll();

    /// Takes back a call that no slave has yet.
    bool cancel(const Call& call);

    /// Says in the log that a call failed and nobody will ask for it.
    static void logUnseenFailure(const Call& call);

    /// Calls that are not done.
    std::size_t openCount() const noexcept { return calls_.size(); }

private:
    void takeIn(Letter letter);
    static Awaited describe(const Call& call);
    std::exception_ptr failureIn(const Letter& letter) const;
    void feed();

    Connector& connector_;
    Schedule schedule_;
    std::unordered_map<std::int32_t, std::shared_ptr<Call>> calls_;
    std::uint32_t lastNumber_ = 0;
};

}    // namespace ferry
