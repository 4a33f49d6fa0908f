#pragma once

#include <string>
#include <string_view>

namespace timetabling {

/// Escapes the text for HTML. The result is safe between tags and within a quoted attribute, for any text.
std::string escapeHtml(std::string_view text);

}    // namespace timetabling
