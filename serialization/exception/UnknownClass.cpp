#include <ferry/serialization/exception/UnknownClass.hpp>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>

namespace ferry {

UnknownClass::UnknownClass(ClassId unknownId)
    : SerializationError(fmt::format("expected the ID of a registered class, found {}: link a translation unit that defines the class with "
                                     "FERRY_CLASS, or call ferry::ObjectFactory::global().add<T>() at start-up",
                                     unknownId)),
      unknownId_(unknownId) {}

void UnknownClass::writeToInts(IntWriter& out) const {
    SerializationError::writeToInts(out);
    out << unknownId_;
}

void UnknownClass::readFromInts(IntReader& in) {
    SerializationError::readFromInts(in);
    in >> unknownId_;
}

}    // namespace ferry
