#include <ferry/serialization/checkpoint/FileDescription.hpp>

#include <utility>

#include <fmt/format.h>

FERRY_FIELDS_DEFINED(ferry::FileDescription)

namespace ferry {

FileDescription FileDescription::of(FileKind kind, std::string type, const ObjectFactory& factory) {
    FileDescription description;
    description.kind = kind;
    description.type = std::move(type);
    description.fingerprint = factory.fingerprint();
    for (detail::ClassEntry& entry : factory.classes()) description.classes.push_back(std::move(entry.name));
    return description;
}

std::string_view FileDescription::nameOf(detail::ClassId id) const noexcept {
    for (const std::string& name : classes) {
        if (detail::classIdOf(name) == id) return name;
    }
    return {};
}

std::string FileDescription::textOf(FileKind kind, std::string_view wholeType) {
    constexpr std::size_t MostBytes = 400;    // a damaged or hostile file may contain any length
    const std::string type(wholeType.size() <= MostBytes ? wholeType : std::string(wholeType.substr(0, MostBytes)) + "...");
    switch (kind) {
        case FileKind::Value: return fmt::format("a value of type {}", type);
        case FileKind::Object: return type.empty() ? std::string("a null pointer") : fmt::format("an object of {}", type);
        case FileKind::Graph: return fmt::format("a graph of {}", type);
        case FileKind::Series: return "a series of objects";
        case FileKind::Journal: return fmt::format("a journal of {}", type);
    }
    return fmt::format("something of the unknown kind {}", static_cast<std::int32_t>(kind));
}

}    // namespace ferry
