#include <ferry/serialization/text/xmlText.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ferry::detail {

namespace {

using Json = nlohmann::json;

/// Whether XML has no way to write a character of the text, which is UTF-8.
bool needsEscapes(std::string_view text) {
    for (const char each : text)
        if (static_cast<unsigned char>(each) < ' ' && each != '\t' && each != '\n' && each != '\r') return true;
    return text.find("\xef\xbf\xbe") != text.npos || text.find("\xef\xbf\xbf") != text.npos;
}

/// Writes the elements of a text of JSON.
struct XmlMaker final : nlohmann::json_sax<Json> {
    void appendMarked(std::string_view text) {
        for (const char each : text) {
            switch (each) {
                case '&': xml += "&amp;"; break;
                case '<': xml += "&lt;"; break;
                case '>': xml += "&gt;"; break;
                case '"': xml += "&quot;"; break;
                case '\t': xml += "&#9;"; break;    // readers make blanks of these three in attributes
                case '\n': xml += "&#10;"; break;
                case '\r': xml += "&#13;"; break;
                default: xml += each;
            }
        }
    }
    void appendText(std::string_view text, bool isEscaped) {
        if (!isEscaped) return appendMarked(text);
        const std::string escaped = Json(std::string(text)).dump(-1, ' ', true);
        appendMarked(std::string_view(escaped).substr(1, escaped.size() - 2));
    }
    void begin(std::string_view element) {
        xml += '<';
        xml += element;
        if (xml.size() == element.size() + 1) xml += " xmlns=\"http://www.w3.org/2005/xpath-functions\"";
        if (hasKey) {
            const bool isEscaped = needsEscapes(name);
            xml += " key=\"";
            appendText(name, isEscaped);
            xml += isEscaped ? "\" escaped-key=\"true\"" : "\"";
        }
        hasKey = false;
    }
    bool add(std::string_view element, std::string_view content) {
        begin(element);
        xml += fmt::format(">{}</{}>", content, element);
        return true;
    }
    bool open(std::string_view element) {
        begin(element);
        xml += '>';
        return true;
    }

    bool null() override {
        begin("null");
        xml += "/>";
        return true;
    }
    bool boolean(bool value) override { return add("boolean", value ? "true" : "false"); }
    bool number_integer(number_integer_t value) override { return add("number", fmt::to_string(value)); }
    bool number_unsigned(number_unsigned_t value) override { return add("number", fmt::to_string(value)); }
    bool number_float(number_float_t, const string_t& text) override { return add("number", text); }
    bool string(string_t& value) override {
        const bool isEscaped = needsEscapes(value);
        begin("string");
        xml += isEscaped ? " escaped=\"true\">" : ">";
        appendText(value, isEscaped);
        xml += "</string>";
        return true;
    }
    bool binary(binary_t&) override { return false; }
    bool key(string_t& theName) override {
        name = theName;
        hasKey = true;
        return true;
    }
    bool start_object(std::size_t) override { return open("map"); }
    bool start_array(std::size_t) override { return open("array"); }
    bool end_object() override {
        xml += "</map>";
        return true;
    }
    bool end_array() override {
        xml += "</array>";
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

    std::string xml;
    std::string name;    // of the next value
    bool hasKey = false;
};

}    // namespace

std::string xmlOfJson(std::string_view json) {
    XmlMaker maker;
    Json::sax_parse(json, &maker);
    return std::move(maker.xml);
}

}    // namespace ferry::detail
