#pragma once

#include <string_view>

/// What all pages have in common, so that each of them needs no other file.

namespace timetabling {

/// The style sheet, for the screen and for print on A4.
std::string_view pageStyle();

/// The script: the filter, and the weeks of students. Nothing of an instance becomes code or markup in it.
std::string_view pageScript();

/// "sha256-...": the only script that pages allow to run is pageScript().
std::string_view pageScriptHash();

}    // namespace timetabling
