#pragma once

#include <string>
#include <string_view>

namespace timetabling {

/// Adds the character to the UTF-8 text.
void appendCharacter(std::string& text, char32_t character);

/// Returns the UTF-8 text with each letter and its accents as one character, where Unicode has this character (U+00C0 to U+1FFF).
/// macOS writes 'ü' as the letter 'u' and an accent. Other systems write one character. The result is the same for both.
std::string composedText(std::string_view text);

}    // namespace timetabling
