#pragma once

#include <string>
#include <string_view>

#include <ferry/serialization/ints/ReadLimits.hpp>
#include <ferry/serialization/text/Json.hpp>
#include <ferry/serialization/text/xmlText.hpp>

namespace ferry {

/// The value as XML in UTF-8, without blanks between elements. The form is the one that W3C gives for JSON ("XPath and XQuery Functions and
/// Operators 3.1", 17.4.2): elements map, array, string, number, boolean and null, and an attribute key for each member of a map. The
/// values, their types and the errors are those of toJson().
template <class T>
std::string toXml(const T& value) {
    return detail::xmlOfJson(toJson(value));
}

/// The value whose text toXml() has made. Blanks, comments, CDATA and the declaration of XML may stand between, and elements may have a
/// prefix for the namespace. Errors: SerializationError for a text that is no such XML, with the byte; for a document type, so that no
/// entities are expanded; for another encoding than UTF-8; and those of fromJson().
template <class T>
T fromXml(std::string_view text, const ReadLimits& limits = ReadLimits::getDefault()) {
    return fromJson<T>(detail::jsonOfXml(text), limits);
}

}    // namespace ferry
