#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ferry/connector/exception/NoMemoryForMessage.hpp>
#include <ferry/connector/transport/OfferedArrays.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// The kind of a packet: the meaning of its body. The numbers travel and are frozen. docs/wire-format.md lists the key, the number and the
/// body of each kind. The numbers 4, 5, 7, 8, 20, 21 and 28 belong to jobs (framework/parcel/JobKind.hpp): KindsAbove.
enum class MessageKind : std::int32_t {
    Object = 1,           ///< an object of a class derived from Message; key = class ID, number = its tag
    Value = 2,            ///< a value of a type that is no Message; key = hash of its type, number = its tag
    Collective = 3,       ///< a step of a collective; key = the collective, number = how many collectives the sender had entered
    Exception = 6,        ///< an exception that the sender throws on the receiver
    Stop = 9,             ///< the job ends; number = exit status
    Left = 10,            ///< on the control channel: the sender takes no further part in the job. Keys: 0 after its part, 1 it never ran,
                          ///< 2 after its part, and it does not wait for the master. number = exit status of its program. From the master
                          ///< with key 0: all ranks have left, number = exit status of the job. On the data channel: no more letters come
                          ///< from the sender; number = count of its letters to this rank (Standstill)
    Registry = 11,        ///< the comparison of class registries when ranks connect; number = step
    Graph = 12,           ///< a piece of a graph; key = hash of the root's type, number = how many graphs the sender had sent
    RegionFailed = 13,    ///< a guarded region has failed on the sender; number = the region. Number 0, on both channels: no more letters
                          ///< come from regions of the sender that have failed so far
    Agreement = 14,       ///< the end of a guarded region; key = 1 report, 2 verdict, number = the region
    GivenUp = 15,         ///< the sender has given up a collective; key and number = those of its steps. On the control channel: the sender
                          ///< has given up the end of a guarded region, so the ranks never meet again; number = the region
    Standstill = 16,      ///< the search for deadlocks; key = 1 inquiry, 2 answer, 3 verdict. number = the inquiry; of a verdict the
                          ///< receiver's stillness (StillnessReport)
    Shrink = 17,          ///< the agreement of the ranks that are left on who they are (Survivors); keys: 1 question, 2 answer, 3 decision.
                          ///< number = how many such agreements of the connector came before
    Lost = 22,            ///< the job has lost a rank, as the master says; number = the rank
    Group = 24,           ///< a whole letter of a group of ranks, as the body; key = the group
};

/// Whether one number comes before another. For numbers that start again after the greatest one: regions and logical times.
constexpr bool comesBefore(std::int32_t number, std::int32_t other) noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(number) - static_cast<std::uint32_t>(other)) < 0;
}

/// The first ints of every message. The Mailbox sets region and clock when it sends the message (Regions).
struct Envelope {
    static constexpr std::size_t sizeInts = 6;
    static constexpr std::size_t regionAt = 3;    ///< index of the region in a packet
    static constexpr std::size_t clockAt = 4;

    MessageKind kind = MessageKind::Object;
    std::int32_t key = 0;
    std::int32_t number = 0;
    std::int32_t region = 0;    ///< the guarded region that the sender was in; 0: none
    std::int32_t clock = 0;     ///< the sender's logical time (Lamport)
    std::int32_t type = 0;      ///< of a step of a collective: key of the type of the ranks' values (namedValueKey); 0: no value
};

/// A packet that has been opened: its sender, its envelope, and the buffer that holds both envelope and body.
struct Letter {
    int from = -1;
    Envelope envelope;
    IntBuffer ints;
    std::unique_ptr<OfferedArrays> offered{};     ///< not null: arrays that the reader fetches while it reads the body
    std::vector<std::int32_t> regionsAround{};    ///< of a letter of a group: the sender's regions in the mailboxes around, innermost first
    std::size_t missingInts = 0;                  ///< number of ints missing at the end: there was no memory for them

    /// The ints of the body. Errors: NoMemoryForMessage when ints are missing.
    std::span<const std::int32_t> body() const { return wholeInts().ints().subspan(Envelope::sizeInts); }
    /// The whole letter, for forwarding. Errors: NoMemoryForMessage when ints are missing.
    const IntBuffer& wholeInts() const {
        if (missingInts != 0) [[unlikely]] {
            failMissing();
        }
        return ints;
    }
    /// The part of the body that has been received.
    std::span<const std::int32_t> bodyStart() const { return ints.ints().subspan(Envelope::sizeInts); }

private:
    [[noreturn]] void failMissing() const { throw NoMemoryForMessage(from, (ints.size() + missingInts) * sizeof(std::int32_t)); }
};

}    // namespace ferry::detail
