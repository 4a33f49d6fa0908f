#pragma once

#include <string>
#include <string_view>

namespace ferry::detail {

/// Writes a text of JSON, which must be valid, as XML.
std::string xmlOfJson(std::string_view json);

/// Writes a text of XML as JSON, which takes at most twice as many bytes. Safe on any input. Errors: SerializationError.
std::string jsonOfXml(std::string_view xml);

}    // namespace ferry::detail
