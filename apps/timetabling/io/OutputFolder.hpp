#pragma once

#include <string>
#include <string_view>

namespace timetabling {

/// A folder for files that will be written later, checked early like an OutputFile.
class OutputFolder {
public:
    /// Makes the folder when it is not there.
    /// Errors: InputError when it cannot be made or written to.
    explicit OutputFolder(std::string path);

    const std::string& path() const { return path_; }
    /// Writes a file of this name, which holds no '/', in the folder.
    /// Errors: InputError when it cannot be written.
    void write(const std::string& name, std::string_view text) const;

private:
    std::string path_;
};

}    // namespace timetabling
