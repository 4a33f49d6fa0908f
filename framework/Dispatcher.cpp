#include <ferry/framework/Dispatcher.hpp>

#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/Report.hpp>
#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/framework/Log.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

Filter repliesOfSlaves() {
    return Filter({MessageKind::Response, MessageKind::Exception}).describedBy([](const Filter&) -> std::string {
        return "the reply to any task";
    });
}

constexpr int rankOfSlave(int slave) { return slave + 1; }

}    // namespace

Dispatcher::Dispatcher(Connector& connector) : connector_(connector), schedule_(connector.size() - 1) {}

std::shared_ptr<Call> Dispatcher::submit(const Message& task) {
    if (slaveCount() == 0) throw UsageError("there is no slave to do the task");
    requireOwnClassId(task);
    connector_.mailbox().throwIfDue();
    auto call = std::make_shared<Call>();
    // Call numbers are never 0, which means 'no call'.
    lastNumber_ = lastNumber_ == 0x7fffffffu ? 1 : lastNumber_ + 1;
    call->number = static_cast<std::int32_t>(lastNumber_);
    call->request =
        connector_.mailbox().pack(Envelope{MessageKind::Request, task.classId(), call->number}, [&](IntWriter& out) { out << task; });
    calls_.emplace(call->number, call);
    schedule_.add(call->number);
    feed();
    return call;
}

void Dispatcher::wait(const Call& call) {
    while (!call.isDone) takeIn(connector_.mailbox().take(repliesOfSlaves(), [&call] { return describe(call); }));
}

Awaited Dispatcher::describe(const Call& call) {
    if (call.slaveRank == 0) return {{}, fmt::format("the reply to task {}, which no slave has yet", call.number)};
    return {{call.slaveRank}, fmt::format("the reply to task {} from rank {}", call.number, call.slaveRank)};
}

void Dispatcher::waitUntil(const std::function<bool()>& condition) {
    while (!condition()) takeIn(connector_.mailbox().take(repliesOfSlaves()));
}

void Dispatcher::poll() {
    while (auto letter = connector_.mailbox().tryTake(repliesOfSlaves())) takeIn(std::move(*letter));
}

bool Dispatcher::cancel(const Call& call) {
    if (!schedule_.cancel(call.number)) return false;
    calls_.erase(call.number);
    return true;
}

void Dispatcher::logUnseenFailure(const Call& call) {
    logLine(spdlog::level::warn, "the reply of task {} was dropped unseen, though the task had failed", call.number);
}

void Dispatcher::takeIn(Letter letter) {
    const auto entry = calls_.find(letter.envelope.number);
    if (entry == calls_.end()) {
        logLine(spdlog::level::err, "rank {} answers call {}, which is not open: the answer is dropped", letter.from,
                letter.envelope.number);
        return;
    }
    const std::shared_ptr<Call> call = std::move(entry->second);
    calls_.erase(entry);
    schedule_.finished(letter.from - 1);
    call->isDone = true;
    if (letter.envelope.kind == MessageKind::Exception) {
        call->failure = failureIn(letter);
        if (call.use_count() == 1) logLine(spdlog::level::warn, "nobody waits for a task that failed: {}", report(call->failure));
        connector_.mailbox().giveBack(std::move(letter));
    } else {
        call->reply = std::move(letter);
    }
    feed();
}

/// Flow B: message -> exception, which the call's future throws. A letter that cannot be read is a failure of its call too, like a reply.
std::exception_ptr Dispatcher::failureIn(const Letter& letter) const {
    try {
        IntReader in(letter.body(), connector_.factory());
        ExceptionMessage message;
        message.readFromInts(in);
        in.expectEnd();
        return message.rebuild(connector_.factory());
    } catch (const SerializationError&) {
        return std::current_exception();
    }
}

void Dispatcher::feed() {
    while (const auto assignment = schedule_.next()) {
        Call& call = *calls_.at(assignment->call);
        call.slaveRank = rankOfSlave(assignment->slave);
        connector_.mailbox().postInts(call.slaveRank, Channel::Data, std::move(call.request));
    }
}

}    // namespace ferry
