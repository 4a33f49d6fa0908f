#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/ints/ClassId.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

/// The form in which a file holds its contents.
enum class FileKind : std::int32_t {
    Value = 1,      ///< a value of the type with this text (typeTextOf)
    Object = 2,     ///< class ID and contents of an object, of the class with this wire name
    Graph = 3,      ///< objects that point to each other; the type is that of the root
    Journal = 4,    ///< the finished tasks of a job; the type is the job's title; grows and so has no closing chunk
    Series = 5,     ///< several of the first three, one after the other (SeriesWriter)
};

/// The description at the beginning of a file.
struct FileDescription {
    FERRY_FIELDS_DECLARED(kind, type, fingerprint, classes)

    FileKind kind = FileKind::Value;
    /// The type of the contents.
    std::string type;
    /// The fingerprint of the saving program (ObjectFactory::fingerprint). For information only.
    std::uint64_t fingerprint = 0;
    /// The wire names of all classes of the saving program, in the order of their IDs. With them, a reader can name the classes that it
    /// lacks.
    std::vector<std::string> classes;

    /// Describes a file that this program is about to save.
    static FileDescription of(FileKind kind, std::string type, const ObjectFactory& factory = ObjectFactory::global());

    /// The wire name of a class. Empty if the saving program had no class with this ID.
    std::string_view nameOf(detail::ClassId id) const noexcept;
    /// Kind and type as a text, for example "a value of type sequence<int32>".
    std::string text() const { return textOf(kind, type); }
    static std::string textOf(FileKind kind, std::string_view wholeType);
};

}    // namespace ferry
