#pragma once

#include <string_view>

/// The common parts of all pages. Each page includes them, so it needs no other file.

namespace timetabling {

/// The style sheet for the screen and for print on A4.
std::string_view pageStyle();

/// The script: the filter, and the weeks of students. No text of an instance becomes code or markup in the script.
std::string_view pageScript();

/// "sha256-..." for the policy of the pages. pageScript() is the only script that pages allow to run.
std::string_view pageScriptHash();

}    // namespace timetabling
