#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace timetabling {

/// Hands out distinct names for the files of one folder. The names stay distinct when capital and small letters count as equal.
///
/// A name holds only letters, digits, '.', '_' and '-', whatever the original name holds.
/// The result depends on the requested name. When several requests give the same name, later ones get a number.
class FileNames {
public:
    /// Returns "room-A.1.html" for the kind "room", the name "A.1" and the ending ".html". Very long names are cut.
    std::string take(std::string_view kind, std::string_view name, std::string_view ending);

private:
    std::unordered_map<std::string, int> taken_;    ///< file names in small letters, each with the next number for it
};

}    // namespace timetabling
