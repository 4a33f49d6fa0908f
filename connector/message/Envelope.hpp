#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ferry/connector/exception/NoMemoryForMessage.hpp>
#include <ferry/connector/transport/OfferedArrays.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry {

/// The kind of a packet. The numbers travel and are frozen: docs/wire-format.md.
enum class MessageKind : std::int32_t {
    Object = 1,           ///< a Message of the user; key = class ID, number = its tag
    Value = 2,            ///< a value that is no Message; key = hash of its type, number = its tag
    Collective = 3,       ///< a step of a collective; key = which one, number = how many the rank had entered
    Request = 4,          ///< tasks for a slave, one or more; from a slave those that it gives back
    Response = 5,         ///< the replies to tasks, one or more
    Exception = 6,        ///< an exception
    Shared = 7,           ///< an object that every slave holds; key = hash of its type, number = its version
    Report = 8,           ///< a failure that ends the job, told to the master
    Stop = 9,             ///< the job ends; number = exit status
    Left = 10,            ///< the sender takes no further part in the job; key = 1 when it never ran, number = exit status of its program;
                          ///< on the data channel: no more letters come from the sender
    Registry = 11,        ///< the comparison of registries when ranks connect
    Graph = 12,           ///< a piece of a graph; key = hash of the root's type, number = which graph of this sender
    RegionFailed = 13,    ///< a guarded region has failed on the sender; number = the region. On the data channel: none of the sender's
                          ///< letters of regions that have failed so far comes any more
    Agreement = 14,       ///< the end of a guarded region; key = 1 report, 2 verdict, number = the region
    GivenUp = 15,         ///< the sender has given up a collective; key and number = those of its steps. On the control channel: it has
                          ///< given up the end of a guarded region, so that the ranks never meet again; number = the region
    Standstill = 16,      ///< the search for deadlocks; key = 1 inquiry, 2 answer, 3 verdict, number = the inquiry, or the receiver's wait
    TaskNotice = 20,      ///< to a slave, about tasks that it has; key = 1 give back what is not begun, 2 they are cancelled
    SharedNotice =
        21,        ///< to a slave: which version of a shared object counts from here on; key = hash of its type, number = the version
    Lost = 22,     ///< the job has lost a rank; number = the rank. From the master
    Group = 24,    ///< a letter of a group of ranks, whole, as the body; key = which group
    Trace = 28,    ///< to a slave: what is its time, or what has it done; and the answer. key = 1 or 2, number = the question
};

/// The ints that travel before the ints of every message. Region and clock are the Mailbox's: it sets them when it sends (Regions).
struct Envelope {
    static constexpr std::size_t sizeInts = 6;
    static constexpr std::size_t regionAt = 3;    ///< places of these ints in a packet
    static constexpr std::size_t clockAt = 4;

    MessageKind kind = MessageKind::Object;
    std::int32_t key = 0;
    std::int32_t number = 0;
    std::int32_t region = 0;    ///< the guarded region in which the sender was; 0: in none
    std::int32_t clock = 0;     ///< the sender's logical time (Lamport)
    std::int32_t type = 0;      ///< of a step of a collective: key of the type of the ranks' values (namedValueKey); 0: it carries none
};

/// A packet that has been opened: who sent it, its envelope, and the buffer that holds both envelope and body.
struct Letter {
    int from = -1;
    Envelope envelope;
    IntBuffer ints;
    std::unique_ptr<OfferedArrays> offered{};     ///< not null: arrays that are to be fetched while the body is read
    std::vector<std::int32_t> regionsAround{};    ///< of a letter of a group: the regions in which it was sent of the mailboxes around
    std::size_t missingInts = 0;                  ///< ints that are missing at the end: there was no memory for them

    /// The ints of the body. Errors: NoMemoryForMessage when ints are missing.
    std::span<const std::int32_t> body() const { return wholeInts().ints().subspan(Envelope::sizeInts); }
    /// The whole letter, to be passed on. Errors: NoMemoryForMessage when ints are missing.
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

}    // namespace ferry
