#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <ferry/serialization/ints/ClassId.hpp>

// The errors of the codecs. The exceptions are objects that travel, so that their classes stand above the codecs. Therefore
// serialization/exception/fail.cpp defines these functions.

namespace ferry {

class ObjectFactory;

namespace detail {

/// Throws UsageError, with the place of the call as its origin. (clang 14 does not provide std::source_location.)
[[noreturn]] void failUsage(std::string text, const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// Throws SerializationError. problem: for example "expected 3, found 4". offsetInts: position in the stream, in ints.
[[noreturn]] void failReading(std::string problem, std::size_t offsetInts);
/// Throws SerializationError without a position. A reader that knows the position adds it.
[[noreturn]] void failReading(std::string problem);

/// Throws UnknownClass.
[[noreturn]] void failUnknownClass(ClassId id);

/// Each function rethrows the exception of the handler that calls it. A SerializationError first gets the field, element, class or
/// position.
[[noreturn]] void rethrowFromField(const char* fieldNames, std::size_t fieldIndex);
[[noreturn]] void rethrowFromElement(std::size_t index);
[[noreturn]] void rethrowFromClass(std::string_view className);
[[noreturn]] void rethrowFromOffset(std::size_t offsetInts);

/// Registers the exception classes of Ferry's serialization layer.
void addOwnClasses(ObjectFactory& factory);

}    // namespace detail

}    // namespace ferry
