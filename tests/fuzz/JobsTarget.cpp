#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/framework/master/Dispatcher.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/slave/SlaveQueue.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/fuzz/FuzzCheck.hpp>

namespace ferry::test {

namespace {

/// The receiver of the letter. The first int of a message selects it, and the body of the letter follows.
enum class Receiver : std::int32_t { SlaveOfTasks, MasterOfReplies, MasterOfTasks };
constexpr std::uint32_t ReceiverCount = 3;

constexpr std::int32_t openCall = 1;

/// Checks that the message in a parcel is written and read consistently.
void checkMessageIn(const detail::Parcel& parcel) {
    const std::unique_ptr<Message> message = ObjectFactory::global().createAs<Message>(parcel.key);
    IntReader in(parcel.body);
    in >> *message;
    in.expectEnd();
    const Ints first = writtenInts(*message);
    const std::unique_ptr<Message> again = ObjectFactory::global().createAs<Message>(message->classId());
    IntReader inAgain(first);
    inAgain >> *again;
    if (writtenInts(*again) != first) failCheck("jobs", "a message is written differently the second time");
}

IntBuffer letterOf(detail::MessageKind kind, std::span<const std::int32_t> body) {
    IntBuffer letter(Ints{static_cast<std::int32_t>(kind), 0, 0, 0, 0, 0});
    letter.append(body);
    return letter;
}

void giveTasksToSlave(std::span<const std::int32_t> body) {
    detail::SlaveQueue queue;
    queue.add(detail::Letter{0, detail::Envelope{detail::JobKind::Request}, letterOf(detail::JobKind::Request, body)});
    static_cast<void>(queue.remove({2}));
    while (const std::optional<detail::SlaveQueue::Task> task = queue.nextTask()) checkMessageIn(task->parcel);
}

/// Gives the letter to a master with one open call.
void giveToMaster(detail::MessageKind kind, std::span<const std::int32_t> body) {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(2);
    Connector connector(std::move(transports[0]), ObjectFactory::global(), RegistryComparison::Skip);
    detail::Dispatcher dispatcher(connector);
    const std::shared_ptr<detail::Call> call = dispatcher.submit(Ping(3));
    transports[1]->startSend(0, detail::Channel::Data, letterOf(kind, body));
    dispatcher.poll();
    if (!call->isDone && dispatcher.openCount() == 0) failCheck("jobs", "the master has lost its call");
    if (call->failure && report(call->failure).empty()) failCheck("jobs", "an exception without a story");
    if (call->isDone && !call->failure) checkMessageIn(call->reply);
}

class JobsTarget final : public FuzzTarget {
public:
    JobsTarget() { setLogLevel("off"); }    // the master logs the letters that it drops

    std::string_view name() const override { return "jobs"; }
    std::vector<IntBuffer> seeds() const override;

    Outcome run(std::span<const std::int32_t> ints) override {
        if (ints.empty()) return Outcome::Refused;
        return runBounded(allowed_, ints.size_bytes(), [ints] {
            try {
                give(static_cast<Receiver>(static_cast<std::uint32_t>(ints[0]) % ReceiverCount), ints.subspan(1));
            } catch (...) {
                requireRefusal("jobs");
                return Outcome::Refused;
            }
            return Outcome::ReadWhole;
        });
    }

private:
    static void give(Receiver receiver, std::span<const std::int32_t> body) {
        switch (receiver) {
            case Receiver::SlaveOfTasks: return giveTasksToSlave(body);
            case Receiver::MasterOfReplies: return giveToMaster(detail::JobKind::Response, body);
            case Receiver::MasterOfTasks: return giveToMaster(detail::JobKind::Request, body);
        }
    }

    MemoryUse allowed_{"jobs", 16, 64, 256 * 1024};
};

class SeedWriter {
public:
    explicit SeedWriter(Receiver receiver) : out_(buffer_) { out_.writeInt(static_cast<std::int32_t>(receiver)); }

    SeedWriter& add(std::int32_t number, const Message& message, bool isException = false) {
        const Ints body = writtenInts(message);
        detail::writeParcel(out_, {isException ? 0 : message.classId(), number, 1, body});
        return *this;
    }
    IntBuffer seed() {
        out_.finish();
        return std::move(buffer_);
    }

private:
    IntBuffer buffer_;
    IntWriter out_;
};

std::vector<IntBuffer> JobsTarget::seeds() const {
    const Letterhead letterhead("a title", {1, 2});
    const ExceptionMessage failure(std::make_exception_ptr(std::out_of_range("out of range")));
    std::vector<IntBuffer> seeds;
    seeds.push_back(SeedWriter(Receiver::SlaveOfTasks).add(1, Ping(3)).add(2, Ping(4)).add(3, letterhead).seed());
    seeds.push_back(SeedWriter(Receiver::MasterOfReplies).add(7, Ping(3)).add(openCall, letterhead).seed());
    seeds.push_back(SeedWriter(Receiver::MasterOfReplies).add(openCall, failure, true).add(openCall, Ping(3)).seed());
    seeds.push_back(SeedWriter(Receiver::MasterOfTasks).add(openCall, Ping(3)).add(7, Ping(3)).seed());
    seeds.push_back(SeedWriter(Receiver::MasterOfTasks).add(detail::newCall, Ping(3)).add(detail::newCall, letterhead).seed());
    return seeds;
}

}    // namespace

std::unique_ptr<FuzzTarget> makeJobsTarget() { return std::make_unique<JobsTarget>(); }

}    // namespace ferry::test
