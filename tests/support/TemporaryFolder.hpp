#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace ferry::test {

/// A new folder. The destructor removes the folder with its contents.
class TemporaryFolder {
public:
    /// Errors: std::system_error.
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }
    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
    /// Number of files in the folder.
    std::size_t fileCount() const;

private:
    std::filesystem::path path_;
};

}    // namespace ferry::test
