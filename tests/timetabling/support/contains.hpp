#pragma once

#include <string>

namespace timetabling::test {

/// Whether the text contains the part.
inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}    // namespace timetabling::test
