#include <ferry/connector/message/CarrierMessage.hpp>

#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

FERRY_CLASS_DEFINED(ferry::CarrierMessage)
FERRY_FIELDS_DEFINED(ferry::CarrierMessage)

namespace ferry {

namespace {

// Stands where a carrier without a meaning has the number of its objects, which is never negative. The meaning follows.
constexpr std::int32_t meaningFollows = -1;

}    // namespace

void detail::CarrierMeaning::writeToInts(IntWriter& out) const {
    if (!id) return;
    out.writeInt(meaningFollows);
    out.writeInt(*id);
}

void detail::CarrierMeaning::readFromInts(IntReader& in) {
    id.reset();
    if (in.remaining() == 0 || in.peekInt() != meaningFollows) return;
    in.readInt();
    id = in.readInt();
}

std::int32_t CarrierMessage::meaningNumber() const {
    if (!meaning_.id) throw UsageError("this CarrierMessage has no meaning: ask hasMeaning() first, or give it one with setMeaning()");
    return *meaning_.id;
}

void CarrierMessage::add(std::unique_ptr<IntSerializableObject> object) {
    if (!object) throw UsageError("a CarrierMessage cannot hold a null pointer");
    objects_.push_back(std::move(object));
}

const IntSerializableObject& CarrierMessage::at(std::size_t place) const {
    if (place >= objects_.size())
        throw UsageError(fmt::format("object {} does not exist: the CarrierMessage has {}", place, objects_.size()));
    if (!objects_[place]) throw UsageError(fmt::format("object {} of the CarrierMessage was taken already", place));
    return *objects_[place];
}

IntSerializableObject& CarrierMessage::mutableAt(std::size_t place) {
    static_cast<void>(at(place));
    return *objects_[place];
}

void CarrierMessage::throwWrongClass(std::size_t place) const {
    throw UsageError(
        fmt::format("object {} of the CarrierMessage is a {}, which is not of the class asked for", place, objects_[place]->className()));
}

}    // namespace ferry
