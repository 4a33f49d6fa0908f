#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/serialization/ints/durations.hpp>

namespace ferry::detail {

/// The number of a task that a handler on a slave submits.
constexpr std::int32_t newCall = 0;

/// One task or reply among those that travel in one letter. Numbers and order: docs/wire-format.md.
struct Parcel {
    std::int32_t key = 0;       ///< class ID; 0 for a reply that is an exception
    std::int32_t number = 0;    ///< number of the call, or newCall
    std::int32_t detail = 0;    ///< for a task: number of the try, from 1; for a reply: nanoseconds that the task took, at most 2^31 - 1;
                                ///< for a task that a slave submits: its priority
    std::span<const std::int32_t> body{};
};

constexpr std::size_t parcelHeadInts = 5;

/// Whether the task is one of a team.
bool isOfTeam(const Parcel& task) noexcept;
/// Whether the result of the task stays with the slave.
bool keepsResult(const Parcel& task) noexcept;
/// The class ID of a task. It stands in the body of a task of a team, and of one whose result stays with the slave.
std::int32_t classOfTask(const Parcel& task) noexcept;

/// Writes the length into the head of a letter's only parcel.
void setParcelLength(IntBuffer& letter);

/// A parcel without a body, ahead of the replies that a sub-master hands on. It names the slave that sent them.
inline Parcel originOfReplies(int slaveRank) noexcept { return {0, 0, slaveRank}; }
inline bool isOriginOfReplies(const Parcel& parcel) noexcept { return parcel.number == 0; }

/// Writes a whole parcel into a letter of several parcels.
void writeParcel(IntWriter& out, const Parcel& parcel);

/// Packs a letter of one parcel, whose body is written by write(IntWriter&). Errors: like Mailbox::pack().
template <class Write>
IntBuffer packParcel(Mailbox& mailbox, MessageKind kind, const Parcel& head, Write&& write) {
    IntBuffer letter = mailbox.pack(Envelope{kind, 0, 0}, [&](IntWriter& out) {
        out.writeInt(head.key);
        out.writeInt(head.number);
        out.writeInt(head.detail);
        out.writeInt64(0);
        write(out);
    });
    detail::setParcelLength(letter);
    return letter;
}

/// The only parcel of a letter from packParcel(). The letter must outlive the parcel.
Parcel onlyParcelIn(const IntBuffer& letter);

/// Changes the detail of a letter's only parcel.
void setParcelDetail(IntBuffer& letter, std::int32_t detail);

/// For a letter of tasks: sets how long their replies may wait for each other, at most one second.
void setReplyWait(IntBuffer& letter, std::chrono::nanoseconds wait);
std::chrono::nanoseconds replyWaitIn(const Letter& letter);

/// Marks a letter of one task as suspect: slaves may have been lost because of the task, so it travels alone.
void setSuspect(IntBuffer& letter);
inline bool isSuspect(const Letter& letter) noexcept { return letter.envelope.key != 0; }

/// Adds the parcels of the second letter to the first letter, which has the same kind.
void appendParcels(IntBuffer& letter, const IntBuffer& other);

/// The parcels that the received start of a letter names, when there was no memory for the rest.
struct ParcelHeads {
    std::vector<Parcel> parcels;    ///< without their bodies
    bool areAll = false;
};
ParcelHeads parcelHeadsIn(const Letter& letter);

/// Turns the reply of a failed call back into an exception (flow B), which the call's future throws. An unreadable parcel is a failure of
/// its call too.
std::exception_ptr failureIn(const Parcel& parcel, const ObjectFactory& factory);

/// The parcels of a letter. The letter must outlive them. Errors: SerializationError for a letter that does not end with its last parcel.
std::vector<Parcel> parcelsIn(const Letter& letter);

}    // namespace ferry::detail
