#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace ferry::test {

/// A folder of its own, which is removed with all that is in it.
class TemporaryFolder {
public:
    /// Errors: std::system_error.
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }
    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
    /// How many files are in it.
    std::size_t fileCount() const;

private:
    std::filesystem::path path_;
};

}    // namespace ferry::test
