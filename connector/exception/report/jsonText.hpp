#pragma once

#include <string>

namespace ferry::detail {

/// Returns the text of a value of nlohmann::basic_json. All JSON of the libraries is written by this function: names and texts of programs
/// may have bytes that are no UTF-8, which become U+FFFD.
/// \param indent blanks of each level; -1: everything is on one line
template <class Json>
std::string jsonText(const Json& value, int indent = -1) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}    // namespace ferry::detail
