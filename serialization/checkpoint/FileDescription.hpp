#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/ints/ClassId.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

/// In what form a file holds what was saved.
enum class FileKind : std::int32_t {
    Value = 1,      ///< a value of the type that typeText() gives
    Object = 2,     ///< class ID and contents of an object, of the class with this wire name
    Graph = 3,      ///< a structure of objects that point to each other, of which this is the type of the first
    Journal = 4,    ///< the finished tasks of a job, of which this is the title; it grows, and so has no end
};

/// The beginning of a file: it describes the rest.
struct FileDescription {
    FERRY_FIELDS(kind, type, fingerprint, classes)

    FileKind kind = FileKind::Value;
    /// The type of what was saved.
    std::string type;
    /// Fingerprint of the program that saved the file (ObjectFactory::fingerprint); for information.
    std::uint64_t fingerprint = 0;
    /// The wire names of all classes that it knew, in the order of their IDs: so a reader can name those that it lacks.
    std::vector<std::string> classes;

    /// Describes what this program is about to save.
    static FileDescription of(FileKind kind, std::string type, const ObjectFactory& factory = ObjectFactory::global());

    /// The wire name of a class; empty when the program that saved the file had none with this ID.
    std::string_view nameOf(ClassId id) const noexcept;
    /// Kind and type as a text, such as "a value of type sequence<int32>".
    std::string text() const { return textOf(kind, type); }
    static std::string textOf(FileKind kind, std::string_view wholeType);
};

}    // namespace ferry
