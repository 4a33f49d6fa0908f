#include <ferry/framework/SlaveLoop.hpp>

#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/framework/Log.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

/// The shared objects of the slave that runs on this thread; null elsewhere.
thread_local SharedStore* sharedOfThisThread = nullptr;

}    // namespace

SharedStore& Slave::currentShared() {
    if (sharedOfThisThread == nullptr) throw UsageError("shared objects are there for the handlers of a slave only");
    return *sharedOfThisThread;
}

SlaveLoop::SlaveLoop(const Slave& definition, Connector& connector) : definition_(definition), connector_(connector) {
    sharedOfThisThread = &shared_;
}

SlaveLoop::~SlaveLoop() { sharedOfThisThread = nullptr; }

void SlaveLoop::run() {
    Mailbox& mailbox = connector_.mailbox();
    if (definition_.setUp_) state_ = definition_.setUp_(connector_);
    const Filter tasks = Filter({MessageKind::Request, MessageKind::Shared}, 0).describedBy([](const Filter&) -> std::string {
        return "a task from the master (rank 0)";
    });
    for (;;) {
        Letter letter = mailbox.take(tasks, Waiter::Idle);
        if (letter.envelope.kind == MessageKind::Shared) {
            shared_.keep(std::move(letter));
            continue;
        }
        work(letter);
        mailbox.giveBack(std::move(letter));
        // A large reply may need this rank's help to leave; it must not wait for the end of the next task.
        mailbox.flush();
    }
}

void SlaveLoop::work(const Letter& letter) {
    logLine(spdlog::level::debug, "task {} begins", letter.envelope.number);
    Outcome outcome = runHandler(letter);
    Mailbox& mailbox = connector_.mailbox();
    if (auto* reply = std::get_if<IntBuffer>(&outcome)) {
        mailbox.postInts(0, Channel::Data, std::move(*reply));
    } else {
        const ExceptionMessage message(std::get<std::exception_ptr>(outcome));    // Flow B, step 2: exception -> message
        mailbox.post(0, Channel::Data, Envelope{MessageKind::Exception, 0, letter.envelope.number},
                     [&](IntWriter& out) { out << message; });
    }
    logLine(spdlog::level::debug, "task {} is done", letter.envelope.number);
}

/// Flow B, step 1: the one place where exceptions of handlers are caught. Those that end the whole job pass.
SlaveLoop::Outcome SlaveLoop::runHandler(const Letter& letter) {
    TaskScope scope("unknown task", letter.envelope.number);
    try {
        const std::unique_ptr<Message> reply = callHandler(letter, scope);
        requireOwnClassId(*reply);
        return connector_.mailbox().pack(Envelope{MessageKind::Response, reply->classId(), letter.envelope.number},
                                         [&](IntWriter& out) { out << *reply; });
    } catch (const Terminated&) {
        throw;
    } catch (const AssertionFailure&) {
        throw;
    } catch (...) {
        return std::current_exception();
    }
}

std::unique_ptr<Message> SlaveLoop::callHandler(const Letter& letter, TaskScope& scope) {
    const auto handler = definition_.handlers_.find(letter.envelope.key);
    if (handler == definition_.handlers_.end())
        throw UsageError(
            fmt::format("this slave has no handler for a {} (app.slave().on<...>)", connector_.factory().nameOf(letter.envelope.key)));
    const std::unique_ptr<Message> request = connector_.factory().createAs<Message>(letter.envelope.key);
    scope.setClassName(request->className());
    IntReader in(letter.body(), connector_.factory());
    in >> *request;
    in.expectEnd();
    request->setSender(letter.from);
    Task task(connector_, shared_, state_, letter.envelope.number);
    return handler->second(*request, task);
}

}    // namespace ferry
