#include <ferry/serialization/ints/fail.hpp>

#include <utility>

#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UnknownClass.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/FieldNames.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry::detail {

void failUsage(std::string text, const char* file, int line) { throw withThrowPoint(UsageError(std::move(text)), file, line); }

void failReading(std::string problem, std::size_t offsetInts) { throw SerializationError(std::move(problem), offsetInts); }

void failReading(std::string problem) { throw SerializationError(std::move(problem)); }

void failUnknownClass(ClassId id) { throw UnknownClass(id); }

void rethrowFromField(const char* fieldNames, std::size_t fieldIndex) {
    try {
        throw;
    } catch (SerializationError& error) {
        error.addField(fieldName(fieldNames, fieldIndex));
        throw;
    }
}

void rethrowFromElement(std::size_t index) {
    try {
        throw;
    } catch (SerializationError& error) {
        error.addElement(index);
        throw;
    }
}

void rethrowFromClass(std::string_view className) {
    try {
        throw;
    } catch (SerializationError& error) {
        error.addClass(className);
        throw;
    }
}

void rethrowFromOffset(std::size_t offsetInts) {
    try {
        throw;
    } catch (SerializationError& error) {
        error.setOffsetIfUnknown(offsetInts);
        throw;
    }
}

void addOwnClasses(ObjectFactory& factory) {
    factory.add<Exception>();
    factory.add<UsageError>();
    factory.add<SerializationError>();
    factory.add<UnknownClass>();
    factory.add<AssertionFailure>();
}

}    // namespace ferry::detail
