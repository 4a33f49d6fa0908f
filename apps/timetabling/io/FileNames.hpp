#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace timetabling {

/// Hands out names for the files of one folder, none of them twice, also where capital and small letters are the same.
///
/// A name holds letters, digits, '.', '_' and '-' only, whatever the thing is called that it is made for. It depends on what was
/// asked for, and on the order where that gives the same name several times: the later ones get a number.
class FileNames {
public:
    /// "room-A.1.html" for the kind "room", the name "A.1" and the ending ".html". Very long names are cut.
    std::string take(std::string_view kind, std::string_view name, std::string_view ending);

private:
    std::unordered_map<std::string, int> taken_;    ///< in small letters, with the number that comes next
};

}    // namespace timetabling
