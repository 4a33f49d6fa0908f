#pragma once

#include <string>
#include <string_view>

namespace timetabling {

/// The text as HTML shows it: safe between tags and within a quoted attribute, whatever it holds.
std::string escapeHtml(std::string_view text);

}    // namespace timetabling
