#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <ferry/apps/timetabling/sectioning/io/XmlFile.hpp>

namespace timetabling::sectioning {

/// Reads an attribute with one digit, 0 or 1, for each day or week. The first digit becomes bit 0.
/// Errors: InputError for another number of digits, and for other characters.
std::uint64_t readBits(const XmlElement& element, const char* attribute, int count);

/// Writes the lowest bits as digits, the reverse of readBits().
std::string bitsText(std::uint64_t bits, int count);

/// Returns the text with the characters escaped that XML does not allow in an attribute.
std::string escapedForXml(std::string_view text);

}    // namespace timetabling::sectioning
