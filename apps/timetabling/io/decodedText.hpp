#pragma once

#include <string>
#include <string_view>

namespace timetabling {

/// The text of a table in UTF-8.
struct DecodedText {
    std::string text;
    std::string note;    ///< says that the encoding is a guess; empty when the encoding is sure
};

/// Decodes a table as spreadsheets save it: UTF-8 or UTF-16, with or without a byte order mark, else Windows-1252.
/// Letters and their accents become one character each.
/// Errors: InputError for a workbook, an archive or other binary data. The text says how to save the table.
DecodedText decodedText(const std::string& file, std::string bytes);

/// Returns the text in UTF-8. A text that is no UTF-8 is read as Windows-1252.
std::string asUtf8(std::string_view text);

}    // namespace timetabling
