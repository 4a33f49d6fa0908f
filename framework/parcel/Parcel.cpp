#include <ferry/framework/parcel/Parcel.hpp>

#include <algorithm>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/framework/parcel/KeptParcel.hpp>
#include <ferry/framework/parcel/TeamRoster.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry {

namespace {

constexpr std::size_t keyAt = 1;    // of the envelope
constexpr std::size_t numberAt = 2;
constexpr std::size_t detailAt = detail::Envelope::sizeInts + 2;
constexpr std::size_t lengthAt = detail::Envelope::sizeInts + 3;

constexpr std::chrono::microseconds longestReplyWait{1'000'000};

/// The number of parcels. Where the ints are damaged, the number of those before.
std::size_t parcelCountIn(std::span<const std::int32_t> ints) noexcept {
    std::size_t count = 0;
    while (ints.size() >= detail::parcelHeadInts) {
        std::int64_t bodyInts = 0;
        std::memcpy(&bodyInts, ints.data() + detail::parcelHeadInts - 2, sizeof(bodyInts));
        ints = ints.subspan(detail::parcelHeadInts);
        if (bodyInts < 0 || static_cast<std::uint64_t>(bodyInts) > ints.size()) return count;
        ints = ints.subspan(static_cast<std::size_t>(bodyInts));
        ++count;
    }
    return count;
}

}    // namespace

void detail::setParcelLength(IntBuffer& letter) {
    const auto bodyInts = static_cast<std::int64_t>(letter.size() - detail::Envelope::sizeInts - parcelHeadInts);
    std::memcpy(letter.data() + lengthAt, &bodyInts, sizeof(bodyInts));
}

namespace detail {

bool isOfTeam(const Parcel& task) noexcept { return task.key == teamTaskKey || task.key == keepTeamTaskKey; }
bool keepsResult(const Parcel& task) noexcept { return task.key == keepTaskKey || task.key == keepTeamTaskKey; }

std::int32_t classOfTask(const Parcel& task) noexcept {
    const bool isInBody = (isOfTeam(task) || keepsResult(task)) && !task.body.empty();
    return isInBody ? task.body.front() : task.key;
}

void writeParcel(IntWriter& out, const Parcel& parcel) {
    out.writeInt(parcel.key);
    out.writeInt(parcel.number);
    out.writeInt(parcel.detail);
    out.writeInt64(static_cast<std::int64_t>(parcel.body.size()));
    out.writeInts(parcel.body);
}

Parcel onlyParcelIn(const IntBuffer& letter) {
    const std::span<const std::int32_t> ints = letter.ints().subspan(Envelope::sizeInts);
    return {ints[0], ints[1], ints[2], ints.subspan(detail::parcelHeadInts)};
}

void setParcelDetail(IntBuffer& letter, std::int32_t detail) { letter.data()[detailAt] = detail; }

void appendParcels(IntBuffer& letter, const IntBuffer& other) { letter.append(other.ints().subspan(Envelope::sizeInts)); }

void setReplyWait(IntBuffer& letter, std::chrono::nanoseconds wait) {
    const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(wait);
    letter.data()[numberAt] = static_cast<std::int32_t>(std::clamp(microseconds, std::chrono::microseconds(0), longestReplyWait).count());
}

void setSuspect(IntBuffer& letter) { letter.data()[keyAt] = 1; }

std::chrono::nanoseconds replyWaitIn(const Letter& letter) {
    return std::clamp(std::chrono::microseconds(letter.envelope.number), std::chrono::microseconds(0), longestReplyWait);
}

ParcelHeads parcelHeadsIn(const Letter& letter) {
    ParcelHeads heads;
    const std::span<const std::int32_t> ints = letter.bodyStart();
    const std::size_t bodyInts = ints.size() + letter.missingInts;
    std::size_t place = 0;
    while (place < bodyInts && place + detail::parcelHeadInts <= ints.size()) {
        IntReader in(ints.subspan(place));
        heads.parcels.push_back({in.readInt(), in.readInt(), in.readInt()});
        const std::int64_t length = in.readInt64();
        place += detail::parcelHeadInts;
        if (length < 0 || static_cast<std::uint64_t>(length) > bodyInts - place) return heads;
        place += static_cast<std::size_t>(length);
    }
    heads.areAll = place == bodyInts;
    return heads;
}

std::exception_ptr failureIn(const Parcel& parcel, const ObjectFactory& factory) {
    try {
        return insist([&] {
            IntReader in(parcel.body, factory);
            return ExceptionMessage::read(in);
        });
    } catch (const SerializationError&) {
        return std::current_exception();
    } catch (const std::bad_alloc&) {
        return std::current_exception();
    }
}

std::vector<Parcel> parcelsIn(const Letter& letter) {
    std::vector<Parcel> parcels;
    parcels.reserve(parcelCountIn(letter.body()));
    IntReader in(letter.body());
    while (in.remaining() > 0) {
        Parcel parcel{in.readInt(), in.readInt(), in.readInt()};
        const std::int64_t bodyInts = in.readInt64();
        if (bodyInts < 0 || static_cast<std::uint64_t>(bodyInts) > in.remaining())
            in.fail(fmt::format("a parcel of 0 to {} ints", in.remaining()), fmt::format("one of {}", bodyInts));
        parcel.body = {in.take(static_cast<std::size_t>(bodyInts)), static_cast<std::size_t>(bodyInts)};
        parcels.push_back(parcel);
    }
    return parcels;
}

}    // namespace detail

}    // namespace ferry
