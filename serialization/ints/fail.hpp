#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <ferry/serialization/ints/ClassId.hpp>

// How the codecs fail. The exceptions are objects that travel, so that their classes stand above the codecs: serialization/exception/fail.cpp
// defines these functions.

namespace ferry {

class ObjectFactory;

namespace detail {

/// Throws UsageError, with the place of the call as its origin. (clang 14 has no std::source_location.)
[[noreturn]] void failUsage(std::string text, const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// Throws SerializationError. problem: such as "expected 3, found 4". offsetInts: position in the stream, in ints.
[[noreturn]] void failReading(std::string problem, std::size_t offsetInts);
/// Throws SerializationError without a position; a reader that knows the position adds it.
[[noreturn]] void failReading(std::string problem);

/// Throws UnknownClass.
[[noreturn]] void failUnknownClass(ClassId id);

/// Each rethrows the exception of the handler that calls it. A SerializationError first learns the field, element, class or position.
[[noreturn]] void rethrowFromField(const char* fieldNames, std::size_t fieldIndex);
[[noreturn]] void rethrowFromElement(std::size_t index);
[[noreturn]] void rethrowFromClass(std::string_view className);
[[noreturn]] void rethrowFromOffset(std::size_t offsetInts);

/// Registers the exceptions of this layer.
void addOwnClasses(ObjectFactory& factory);

}    // namespace detail

}    // namespace ferry
