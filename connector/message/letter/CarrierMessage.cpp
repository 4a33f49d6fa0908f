#include <ferry/connector/message/letter/CarrierMessage.hpp>

#include <limits>
#include <typeinfo>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

FERRY_CLASS_DEFINED(ferry::CarrierMessage)
FERRY_FIELDS_DEFINED(ferry::CarrierMessage)

namespace ferry {

namespace {

// Stands where a carrier without a meaning has the number of its objects, which is never negative. The meaning follows.
constexpr std::int32_t meaningFollows = -1;
// Stands before the number of objects when objects have IDs. The number of IDs follows, and for each the place of its object and the ID.
constexpr std::int32_t idsFollow = -2;

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

void detail::CarriedIds::writeToInts(IntWriter& out) const {
    if (ids.empty()) return;
    out.writeInt(idsFollow);
    out.writeCount(ids.size());
    for (const auto& [place, id] : ids) out << place << id;
}

void detail::CarriedIds::readFromInts(IntReader& in) {
    ids.clear();
    if (in.remaining() == 0 || in.peekInt() != idsFollow) return;
    in.readInt();
    const std::size_t count = in.readCount(2);
    std::int32_t least = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t place = in.readInt();
        if (place < least) {
            in.rewind(in.position() - 1);
            in.fail(fmt::format("the place of an object from {} on", least), fmt::format("{}", place));
        }
        if (place == std::numeric_limits<std::int32_t>::max()) in.fail("the place of an object", "one behind all that can be");
        least = place + 1;
        in.chargeRoomy(1, sizeof(decltype(ids)::value_type) + 4 * sizeof(void*));
        ids.emplace_hint(ids.end(), place, in.readInt());
    }
}

std::optional<std::int32_t> CarrierMessage::idNumberOf(std::size_t place) const {
    if (place >= objects_.size())
        throw UsageError(fmt::format("object {} does not exist: the CarrierMessage has {}", place, objects_.size()));
    const auto found = ids_.ids.find(static_cast<std::int32_t>(place));
    return found == ids_.ids.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> CarrierMessage::placeOfNumber(std::int32_t id) const {
    for (const auto& [place, each] : ids_.ids) {
        if (each == id && static_cast<std::size_t>(place) < objects_.size()) return static_cast<std::size_t>(place);
    }
    return std::nullopt;
}

void CarrierMessage::setLastId(std::int32_t id) { ids_.ids[static_cast<std::int32_t>(objects_.size()) - 1] = id; }

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

void CarrierMessage::throwWrongClass(std::size_t place, const std::type_info& expected) const {
    throw UsageError(fmt::format("object {} of the CarrierMessage is of class {}, not {}", place, objects_[place]->className(),
                                 detail::typeName(expected)));
}

}    // namespace ferry
