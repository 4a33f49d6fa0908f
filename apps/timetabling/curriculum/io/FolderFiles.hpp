#pragma once

#include <map>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/io/InputProblems.hpp>

namespace timetabling::curriculum {

/// The tables of a folder by their names without endings. Tells files that are none.
class FolderFiles {
public:
    FolderFiles(const std::string& path, InputProblems& problems, std::vector<std::string>& notes);

    /// Returns the path of the table, or an empty text when the folder does not have it.
    const std::string& pathOf(const std::string& table) const {
        static const std::string none;
        const auto found = files_.find(table);
        return found == files_.end() ? none : found->second;
    }
    bool isEmpty() const { return files_.empty(); }

private:
    std::map<std::string, std::string> files_;
};

/// The names of the files of a folder that a reader would take for tables, or refuse, beside files with the given names.
/// Empty when there is no such folder.
std::vector<std::string> tablesBeside(const std::string& path, const std::vector<std::string>& fileNames);

}    // namespace timetabling::curriculum
