#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/RegistryCheck.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/message/letter/CarrierMessage.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/letter/SimpleMessage.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/message/state/Standstill.hpp>
#include <ferry/connector/message/state/StillnessReport.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/UnknownClass.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/fuzz/FuzzCheck.hpp>
#include <ferry/tests/fuzz/PolymorphicTypes.hpp>
#include <ferry/tests/support/ThrownBy.hpp>

namespace ferry::test {

namespace {

using Texts = std::vector<std::string>;

/// The channel and receiver of the message. The first int selects it, and envelope and body follow.
enum class Road : std::int32_t {
    Data,
    Control,
    Broadcast,
    RegistryOfMaster,
    RegistryOfSlave,
    GivenUpBroadcast,
    RegistryOfParent,
    RegistryOfChild
};
constexpr std::uint32_t RoadCount = 8;

/// An exception whose class refuses some data, and reports this with an exception of the test.
class Choosy : public Exception {
public:
    FERRY_EXCEPTION(ferry::test::Choosy)
    void writeToInts(IntWriter& out) const override { out << 7; }
    void readFromInts(IntReader& in) override {
        int number = 0;
        in >> number;
        if (number != 7) throw Refusal("not 7");
    }
};

std::vector<std::exception_ptr> sampleExceptions() {
    std::vector<std::exception_ptr> samples;
    const auto add = [&](const auto& exception) { samples.push_back(std::make_exception_ptr(exception)); };
    add(std::out_of_range("out of range"));
    add(std::system_error(std::make_error_code(std::errc::no_space_on_device), "writing"));
    add(std::filesystem::filesystem_error("copying", "/from", "/to", std::make_error_code(std::errc::permission_denied)));
    add(std::regex_error(std::regex_constants::error_brack));
    add(std::future_error(std::future_errc::no_state));
    add(std::ios_base::failure("reading"));
    add(std::bad_alloc());
    add(Overloaded(3, {"A", "B"}));
    add(Choosy());
    add(UnknownClass(17));
    add(SerializationError("expected 1, found 2", 5));
    add(Terminated("somebody failed", 3));
    add(42);
    samples.push_back(thrownBy([] {
        try {
            try {
                throw std::runtime_error("inner");
            } catch (...) {
                std::throw_with_nested(Overloaded(3, {}));
            }
        } catch (...) {
            std::throw_with_nested(std::logic_error("outer"));
        }
    }));
    return samples;
}

/// A rank, and the transports to send any message to it.
struct Place {
    explicit Place(int rank, int size)
        : transports(detail::threadTransports(size)),
          connector(take(rank), ObjectFactory::global(), RegistryComparison::Skip) {}
    std::unique_ptr<detail::Transport> take(int rank) { return std::move(transports[static_cast<std::size_t>(rank)]); }

    std::vector<std::unique_ptr<detail::Transport>> transports;
    Connector connector;
};

template <class T>
T readWhole(const detail::Letter& letter) {
    T value{};
    IntReader in(letter.body());
    in >> value;
    in.expectEnd();
    return value;
}

/// Checks that the exception can be reported and can be sent on.
void checkRebuilt(const std::exception_ptr& exception) {
    if (!exception) failCheck("messages", "a message of no exception was rebuilt");
    if (report(exception).empty()) failCheck("messages", "an exception without a story");
    if (writtenInts(ExceptionMessage(exception)).empty()) failCheck("messages", "an exception that cannot be sent on");
}

void checkMessage(const IntSerializableObject& message) {
    const Ints first = writtenInts(message);
    const std::unique_ptr<IntSerializableObject> again = ObjectFactory::global().create(message.classId());
    IntReader in(first);
    in >> *again;
    in.expectEnd();
    const IntSerializableObject& read = *again;
    if (typeid(read) != typeid(message)) failCheck("messages", "the message is not of its class");
    if (writtenInts(*again) != first) failCheck("messages", "a message is written differently the second time");
}

void takeException(const detail::Letter& letter) {
    IntReader in(letter.body());
    ExceptionMessage message;
    message.readFromInts(in);
    checkRebuilt(message.rebuild());
}

/// Takes the letter like its normal receivers.
void takeData(Connector& connector, detail::MessageKind kind) {
    detail::Mailbox& mailbox = detail::mailboxOf(connector);
    mailbox.poll();
    if (kind == detail::MessageKind::Object) {
        checkMessage(*connector.receiveAny().value);
        return;
    }
    std::optional<detail::Letter> letter =
        mailbox.arrived().take(detail::Filter({detail::MessageKind::Value, detail::MessageKind::Collective, detail::MessageKind::Exception,
                                               detail::JobKind::Shared, detail::MessageKind::Registry}));
    if (!letter) return;
    switch (letter->envelope.kind) {
        case detail::MessageKind::Exception: takeException(*letter); break;
        default: static_cast<void>(readWhole<Texts>(*letter)); break;
    }
    mailbox.giveBack(std::move(*letter));
}

/// Call this in a handler. mayBeSent: the message carries an exception, so any exception is allowed.
Outcome outcomeOfThrown(bool mayBeSent) {
    const std::exception_ptr thrown = std::current_exception();
    try {
        std::rethrow_exception(thrown);
    } catch (const SerializationError& error) {
        if (!error.isRemote()) return Outcome::Refused;
    } catch (...) {
        if (!mayBeSent) requireRefusal("messages");
    }
    checkRebuilt(thrown);
    return Outcome::ReadWhole;
}

class MessagesTarget final : public FuzzTarget {
public:
    std::string_view name() const override { return "messages"; }
    std::vector<IntBuffer> seeds() const override;

    Outcome run(std::span<const std::int32_t> ints) override {
        if (ints.empty()) return Outcome::Refused;
        const auto road = static_cast<Road>(static_cast<std::uint32_t>(ints[0]) % RoadCount);
        const IntBuffer packet = withStamp(ints.subspan(1));
        const auto kind = static_cast<detail::MessageKind>(packet.isEmpty() ? 0 : packet.data()[0]);
        return runBounded(allowed_, ints.size_bytes(), [&] {
            try {
                runRoad(road, kind, packet);
            } catch (...) {
                const bool carriesException = kind == detail::MessageKind::Exception || endsJob(kind);
                return outcomeOfThrown(road == Road::Control ? carriesException : road != Road::Data && road != Road::Broadcast);
            }
            return Outcome::ReadWhole;
        });
    }

private:
    static void runRoad(Road road, detail::MessageKind kind, const IntBuffer& packet) {
        switch (road) {
            case Road::Data: runData(kind, packet); break;
            case Road::Control: runControl(kind, packet); break;
            case Road::Broadcast: runBroadcast(detail::MessageKind::Collective, packet); break;
            case Road::GivenUpBroadcast: runBroadcast(detail::MessageKind::GivenUp, packet); break;
            case Road::RegistryOfMaster: runRegistry(0, differs(), packet); break;
            case Road::RegistryOfSlave: runRegistry(1, differs(), packet); break;
            case Road::RegistryOfParent: runRegistry(0, packet, differs()); break;
            case Road::RegistryOfChild: runRegistry(1, packet, differs()); break;
        }
    }

    /// The zeros of a step, behind an envelope: some rank differs, and there are no names.
    static IntBuffer differs() {
        IntBuffer ints;
        ints.append(std::vector<std::int32_t>(detail::Envelope::sizeInts + 3, 0));
        return ints;
    }

    /// Compares the registries of two ranks. inTree: the step along the tree; packet: the steps after it.
    static void runRegistry(int rank, const IntBuffer& inTree, const IntBuffer& packet) {
        Place place(rank, 2);
        const auto send = [&place, rank](std::int32_t step, const IntBuffer& ints) {
            const auto other = static_cast<std::size_t>(1 - rank);
            place.transports[other]->startSend(rank, detail::Channel::Data, withEnvelope(detail::MessageKind::Registry, 0, step, ints));
        };
        send(rank == 0 ? 5 : 6, inTree);
        send(rank == 0 ? 1 : 2, packet);
        send(rank == 0 ? 3 : 4, packet);
        detail::compareRegistries(detail::mailboxOf(place.connector));
    }

    static void runBroadcast(detail::MessageKind kind, const IntBuffer& packet) {
        Place place(1, 2);
        place.transports[0]->startSend(1, detail::Channel::Data, withEnvelope(kind, 2, 1, packet));
        static_cast<void>(place.connector.broadcast(Texts(), 0));
    }

    static bool endsJob(detail::MessageKind kind) noexcept {
        return kind == detail::MessageKind::Stop || kind == detail::MessageKind::GivenUp;
    }

    static void runData(detail::MessageKind kind, const IntBuffer& packet) {
        Place place(0, 1);
        detail::mailboxOf(place.connector).postInts(0, detail::Channel::Data, packet);
        try {
            takeData(place.connector, kind);
        } catch (...) {
            checkUsable(place.connector);
            throw;
        }
        checkUsable(place.connector);
    }

    static void runControl(detail::MessageKind kind, const IntBuffer& packet) {
        Place place(0, 1);
        detail::mailboxOf(place.connector).hooks().onControl(detail::JobKind::Report, takeException);
        detail::mailboxOf(place.connector).postInts(0, detail::Channel::Control, packet);
        try {
            place.connector.poll();
        } catch (...) {
            if (!endsJob(kind)) checkUsable(place.connector);
            throw;
        }
        checkUsable(place.connector);
    }

    /// Checks that the connector is usable: a refused message must be gone.
    static void checkUsable(Connector& connector) {
        connector.send(0, Ping(5));
        if (connector.receive<Ping>().number != 5) failCheck("messages", "the connector lost a message after a bad one");
    }

    /// The message supplies kind, key, number and body. Region, clock and type of the envelope are those of the sender.
    static IntBuffer withStamp(std::span<const std::int32_t> ints) {
        constexpr std::size_t chosen = detail::Envelope::regionAt;
        if (ints.size() < chosen) return IntBuffer(ints);
        IntBuffer packet(ints.first(chosen));
        packet.append(Ints{0, 0, 0});
        packet.append(ints.subspan(chosen));
        return packet;
    }

    /// The message supplies the body. The envelope is the one that the receiver waits for.
    static IntBuffer withEnvelope(detail::MessageKind kind, std::int32_t key, std::int32_t number, const IntBuffer& packet) {
        IntBuffer ints;
        ints.append(
            Ints{static_cast<std::int32_t>(kind), key, number, 0, 0, kind == detail::MessageKind::Registry ? 0 : detail::valueKey<Texts>});
        if (packet.size() > detail::Envelope::sizeInts) ints.append(packet.ints().subspan(detail::Envelope::sizeInts));
        return ints;
    }

    /// Four objects hold texts: the letter, the rebuilt exception, its report, and the exception that is sent on.
    MemoryUse allowed_{"messages", 16, 64, 256 * 1024};
};

template <class Write>
void addSeed(std::vector<IntBuffer>& seeds, Road road, const detail::Envelope& envelope, Write write) {
    IntBuffer buffer;
    {
        IntWriter out(buffer);
        out << static_cast<std::int32_t>(road) << static_cast<std::int32_t>(envelope.kind) << envelope.key << envelope.number;
        write(out);
    }
    buffer.makeOwned();
    seeds.push_back(std::move(buffer));
}

void addStandstillSeeds(std::vector<IntBuffer>& seeds) {
    const detail::Awaited awaited{{0}, "a message from rank 0"};
    addSeed(seeds, Road::Control, {detail::MessageKind::Standstill, 1, 1}, [](IntWriter&) {});
    addSeed(seeds, Road::Control, {detail::MessageKind::Standstill, 2, 1},
            [&](IntWriter& out) { out << detail::StillnessReport{1, detail::Waiter::Call, awaited, {3}, {3}, {false}}; });
    addSeed(seeds, Road::Control, {detail::MessageKind::Standstill, 3, 1}, [&](IntWriter& out) {
        out << std::vector<StuckRank>{{0, awaited}} << true;
    });
}

std::vector<IntBuffer> MessagesTarget::seeds() const {
    std::vector<IntBuffer> seeds;
    const auto addMessage = [&](detail::MessageKind kind, const Message& message) {
        addSeed(seeds, Road::Data, {kind, message.classId(), 1}, [&](IntWriter& out) { message.writeToInts(out); });
    };
    CarrierMessage carrier;
    carrier.add(std::make_unique<Circle>());
    carrier.add(std::make_unique<RoundLabel>());
    carrier.add(std::make_unique<Overloaded>(3, Texts{"A"}));
    addMessage(detail::MessageKind::Object, carrier);
    addMessage(detail::MessageKind::Object, SimpleMessage(std::make_unique<Picky>()));
    addMessage(detail::MessageKind::Object, Letterhead("a title", {1, 2}));
    const auto addTexts = [&](Road road, const detail::Envelope& envelope) {
        addSeed(seeds, road, envelope, [](IntWriter& out) { out << Texts{"one", "a longer text"}; });
    };
    addTexts(Road::Data, {detail::MessageKind::Value, detail::valueKey<Texts>, 0});
    addTexts(Road::Data, {detail::JobKind::Shared, detail::valueKey<Texts>, 0});
    addTexts(Road::Data, {detail::MessageKind::Collective, 2, 1});
    addTexts(Road::Broadcast, {detail::MessageKind::Collective, 2, 1});
    addTexts(Road::RegistryOfMaster, {detail::MessageKind::Registry, 0, 1});
    addTexts(Road::RegistryOfSlave, {detail::MessageKind::Registry, 0, 2});
    addSeed(seeds, Road::RegistryOfParent, {detail::MessageKind::Registry, 0, 5}, [](IntWriter& out) { out << std::uint64_t{7} << true; });
    addSeed(seeds, Road::RegistryOfChild, {detail::MessageKind::Registry, 0, 6}, [](IntWriter& out) { out << true; });
    addSeed(seeds, Road::Data, {detail::MessageKind::Left, 0, 0}, [](IntWriter&) {});
    addSeed(seeds, Road::Control, {detail::MessageKind::Left, 1, 0}, [](IntWriter&) {});
    addSeed(seeds, Road::Control, {detail::MessageKind::Stop, 0, 3}, [](IntWriter& out) { out << std::string("a rank failed"); });
    const std::vector<std::exception_ptr> exceptions = sampleExceptions();
    for (std::size_t i = 0; i < exceptions.size(); ++i) {
        const ExceptionMessage message(exceptions[i]);
        const auto write = [&](IntWriter& out) { message.writeToInts(out); };
        if (i % 2 == 0) addSeed(seeds, Road::Control, {detail::MessageKind::Exception, 0, 0}, write);
        if (i % 4 == 1) addSeed(seeds, Road::Data, {detail::MessageKind::Exception, 0, 4}, write);
        if (i % 4 == 3) addSeed(seeds, Road::Control, {detail::JobKind::Report, 0, 0}, write);
    }
    const ExceptionMessage late(
        std::make_exception_ptr(TimeoutError({{1}, "rank 1 at the end of a guarded region"}, std::chrono::seconds(3))));
    for (const Road road : {Road::GivenUpBroadcast, Road::Control})
        addSeed(seeds, road, {detail::MessageKind::GivenUp, 0, 1}, [&](IntWriter& out) { late.writeToInts(out); });
    addStandstillSeeds(seeds);
    const ExceptionMessage chain(exceptions.back());
    addMessage(detail::MessageKind::Object, chain);
    addSeed(seeds, Road::Control, {detail::MessageKind::Exception, 0, 0}, [&](IntWriter& out) { chain.writeToInts(out); });
    return seeds;
}

}    // namespace

std::unique_ptr<FuzzTarget> makeMessagesTarget() { return std::make_unique<MessagesTarget>(); }

}    // namespace ferry::test
