#pragma once

#include <memory>
#include <string>

#include <ferry/serialization/file/PathName.hpp>
#include <ferry/serialization/ints/paths.hpp>

namespace ferry::detail {

/// A path as a member of a class whose header does without <filesystem>. Copies share the path, which never changes.
class HeldPath {
public:
    /// The empty path.
    HeldPath() = default;
    explicit HeldPath(const PathName& path);

    const std::filesystem::path& path() const noexcept;
    const std::string& native() const noexcept;

private:
    std::shared_ptr<const std::filesystem::path> path_;    // null: the empty path
};

}    // namespace ferry::detail
