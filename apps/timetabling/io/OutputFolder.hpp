#pragma once

#include <string>
#include <string_view>

namespace timetabling {

/// A folder for files that are written later. Like an OutputFile, the folder is checked early.
class OutputFolder {
public:
    /// Creates the folder when it does not exist.
    /// Errors: InputError when the folder cannot be created or written to.
    explicit OutputFolder(std::string path);

    const std::string& path() const { return path_; }
    /// Writes a file with this name in the folder. The name must not hold '/'.
    /// Errors: InputError when the file cannot be written.
    void write(const std::string& name, std::string_view text) const;

private:
    std::string path_;
};

}    // namespace timetabling
