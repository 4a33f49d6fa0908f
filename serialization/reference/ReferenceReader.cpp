#include <ferry/serialization/reference/ReferenceReader.hpp>

#include <fmt/format.h>

#include <ferry/serialization/ints/TypeName.hpp>
#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

void ReferenceReader::readNext(IntReader& in) {
    const std::uint32_t number = ++nextUnread_;
    const ReceivedObjects::Object object = objects_->at(number);
    if (object.type->standsWhereMet) return;    // was read at the first pointer to it
    const std::size_t count = object.type->isArray ? objects_->elementCountOf(number) : 1;
    promisedInts_ -= object.type->minInts * count;
    const std::int32_t* start = in.cursor();
    try {
        object.type->read(in, object.address, count);
        if (object.type->minInts == 0 && !object.type->isArray && in.cursor() == start) in.chargeEmpty(object.type->objectBytes);
    } catch (...) {
        if (object.type == &objectPointee) rethrowFromClass(static_cast<IntSerializableObject*>(object.address)->className());
        rethrowFromClass(typeName(*object.type->type));
    }
    hasSkipped_ = hasSkipped_ || in.hasSkipped();
}

void ReferenceReader::requireNothingSkipped(IntReader& in) const {
    if (!hasSkipped_ && !in.hasSkipped()) return;
    in.fail("a pointer to an object or vector that this program can read",
            "a pointer to an object or vector behind fields of a newer version, which this program skips");
}

void ReferenceReader::takeNewNumber(IntReader& in, std::int32_t number) {
    if (static_cast<std::uint32_t>(number) != objects_->count() + 1) {
        requireNothingSkipped(in);
        in.fail(fmt::format("the number of an object of the graph from 0 to {}", objects_->count() + 1), fmt::format("{}", number));
    }
    in.take(1);
}

ReferenceReader::Element ReferenceReader::readElement(IntReader& in, std::int32_t number) {
    requireNothingSkipped(in);
    const std::uint64_t place = static_cast<std::uint64_t>(-static_cast<std::int64_t>(number)) - 1;
    if (place >= vectors_.size()) {
        in.fail(fmt::format("one of the {} vectors of the graph", vectors_.size()), fmt::format("vector {}", place + 1));
    }
    in.take(1);
    const std::size_t index = in.readPlainCount();
    const Vector& vector = vectors_[place];
    if (index > vector.count) {
        in.fail(fmt::format("an element of a vector of {}, or its end", vector.count), fmt::format("element {}", index));
    }
    const bool isEnd = index == vector.count;
    return {{vector.elementAt(vector.first, isEnd ? 0 : index), vector.type}, isEnd ? vector.count * vector.elementBytes : 0};
}

void ReferenceReader::promise(IntReader& in, const PointeeType& type, std::size_t count) {
    in.charge(count, type.objectBytes);
    if (type.minInts == 0) {    // readNext counts a single object if it takes no int
        if (type.isArray) in.chargeEmpty(count, type.objectBytes);
        in.chargeRoomy(count, type.objectBytes);
        return;
    }
    const std::uint64_t left = static_cast<std::uint64_t>(pieceEnd_ - in.cursor()) + intsBehind_;
    if (count > left / type.minInts || promisedInts_ + count * type.minInts > left) {
        in.fail("objects whose contents fit into the ints that are left", fmt::format("too many of {}", typeName(*type.type)));
    }
    promisedInts_ += count * type.minInts;
    if (ReadLimits::isRoomy(type.objectBytes, type.minInts + 1)) in.chargeRoomy(count, type.objectBytes);
}

/// Returns the number of a known object, or 0 for a new one.
std::uint32_t ReferenceReader::requireOwnable(IntReader& in, std::int32_t number) {
    if (objects_->memory() == GraphMemory::Arena) {
        failUsage(
            "a graph with objects that unique_ptr, shared_ptr or ferry::owned owns was asked for in an arena: ask for it on the heap");
    }
    if (number < 0) in.fail("an object that can have an owner", "an element of a vector");
    return static_cast<std::uint32_t>(number) <= objects_->count() ? static_cast<std::uint32_t>(number) : 0;
}

void ReferenceReader::giveToOwner(IntReader& in, std::int32_t number, std::uint32_t known) {
    if (known != 0 && objects_->ownerOf(known) != Owner::Graph) {
        in.rewind(in.position() - 1);
        in.fail("an object that nobody owns yet", "an object that has an owner");
    }
    if (!objects_->giveToUnique(static_cast<std::uint32_t>(number), nextUnread_)) {
        in.rewind(in.position() - 1);
        in.fail("objects that own each other in a tree", "a circle of owners");
    }
}

void ReferenceReader::failWrongType(IntReader& in, const std::type_info& expected, const std::type_info& found) {
    in.fail(fmt::format("a pointer to {}", typeName(expected)), fmt::format("a pointer to {}", typeName(found)));
}

void ReferenceReader::failArrayLength(IntReader& in, std::size_t expected, std::size_t found) {
    in.fail(fmt::format("an array of {} elements", expected), fmt::format("an array of {} elements", found));
}

void ReferenceReader::failNullArray(IntReader& in, std::size_t expected) {
    in.fail(fmt::format("an array of {} elements", expected), "null");
}

}    // namespace ferry::detail
