#pragma once

#include <string>

namespace timetabling::test {

/// Whether the part stands somewhere in the text.
inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}    // namespace timetabling::test
