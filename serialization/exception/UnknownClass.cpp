#include <ferry/serialization/exception/UnknownClass.hpp>

#include <string>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>

FERRY_EXCEPTION_DEFINED(ferry::UnknownClass)

namespace ferry {

namespace {

std::string problemOf(const std::string& found) {
    return fmt::format(
        "expected the ID of a registered class, found {}: link a translation unit that defines the class with "
        "FERRY_CLASS, or call ferry::ObjectFactory::global().add<T>() at start-up",
        found);
}

}    // namespace

UnknownClass::UnknownClass(detail::ClassId unknownId) : SerializationError(problemOf(std::to_string(unknownId))), unknownId_(unknownId) {}

void UnknownClass::setName(std::string_view name) {
    constexpr std::size_t MostBytes = 256;    // a damaged or hostile file may contain any length
    if (!name.empty()) setProblem(problemOf(fmt::format("{} ({})", unknownId_, name.substr(0, MostBytes))));
}

void UnknownClass::writeToInts(IntWriter& out) const {
    SerializationError::writeToInts(out);
    out << unknownId_;
}

void UnknownClass::readFromInts(IntReader& in) {
    SerializationError::readFromInts(in);
    in >> unknownId_;
}

}    // namespace ferry
