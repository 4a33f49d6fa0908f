#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <ferry/connector/message/Mailbox.hpp>

namespace ferry {

/// The number of a task that a slave submits.
constexpr std::int32_t newCall = 0;

/// One of the tasks or replies that travel in one letter. Numbers and order: docs/wire-format.md.
struct Parcel {
    std::int32_t key = 0;       ///< class ID; of a reply that is an exception 0
    std::int32_t number = 0;    ///< of the call; newCall
    std::int32_t detail = 0;    ///< of a task: which try it is, from 1; of a reply: nanoseconds that the task took, at most 2^31 - 1; of a
                                ///< task that a slave submits: its priority
    std::span<const std::int32_t> body{};
};

namespace detail {

constexpr std::size_t parcelHeadInts = 5;

/// Writes into the head of a letter's only parcel how long it is.
void setParcelLength(IntBuffer& letter);

}    // namespace detail

/// Before replies that a sub-master hands on: a parcel without a body that says whose they are.
inline Parcel originOfReplies(int slaveRank) noexcept { return {0, 0, slaveRank}; }
inline bool isOriginOfReplies(const Parcel& parcel) noexcept { return parcel.number == 0; }

/// Writes a parcel whole, into a letter of several.
void writeParcel(IntWriter& out, const Parcel& parcel);

/// A letter of one parcel, whose body is written by write(IntWriter&). Errors: as Mailbox::pack().
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

/// The only parcel of a letter that was packed here, which must outlive it.
Parcel onlyParcelIn(const IntBuffer& letter);

/// Changes the detail of a letter's only parcel.
void setParcelDetail(IntBuffer& letter, std::int32_t detail);

/// For a letter of tasks: how long their replies may wait for each other, at most a second.
void setReplyWait(IntBuffer& letter, std::chrono::nanoseconds wait);
std::chrono::nanoseconds replyWaitIn(const Letter& letter);

/// For a letter of one task: it may have taken a slave with it, and travels alone.
void setSuspect(IntBuffer& letter);
inline bool isSuspect(const Letter& letter) noexcept { return letter.envelope.key != 0; }

/// Adds the parcels of the second letter to the first one, which is of the same kind.
void appendParcels(IntBuffer& letter, const IntBuffer& other);

/// The parcels that the start of a letter names, when there was no memory for the rest of the letter.
struct ParcelHeads {
    std::vector<Parcel> parcels;    ///< without their bodies
    bool areAll = false;
};
ParcelHeads parcelHeadsIn(const Letter& letter);

/// The parcels of a letter, which must outlive them. Errors: SerializationError for a letter that does not end where its last parcel does.
std::vector<Parcel> parcelsIn(const Letter& letter);

}    // namespace ferry
