#include <ferry/serialization/text/xmlText.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/serialization/ints/fail.hpp>
#include <ferry/serialization/text/JsonReader.hpp>

namespace ferry::detail {

namespace {

using Json = nlohmann::json;

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view xpathFunctions = "http://www.w3.org/2005/xpath-functions";

bool isNameByte(char each) {
    const auto byte = static_cast<unsigned char>(each);
    return byte >= 0x80 || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || each == '_' ||
           each == ':' || each == '-' || each == '.';
}

/// Whether XML may have the character.
bool isCharacter(std::uint32_t code) {
    return code == '\t' || code == '\n' || code == '\r' || (code >= ' ' && code < 0xd800) || (code > 0xdfff && code < 0xfffe) ||
           (code > 0xffff && code <= 0x10ffff);
}

void appendUtf8(std::string& text, std::uint32_t code) {
    const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
    const auto addRest = [&](int shift) { add(0x80U | ((code >> shift) & 0x3fU)); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0U | (code >> 6));
        addRest(0);
    } else if (code < 0x10000) {
        add(0xe0U | (code >> 12));
        addRest(6);
        addRest(0);
    } else {
        add(0xf0U | (code >> 18));
        addRest(12);
        addRest(6);
        addRest(0);
    }
}

/// Reads a text of XML from its beginning to its end, and writes each element as JSON. Nested elements need no stack of the program.
class XmlScanner {
public:
    explicit XmlScanner(std::string_view xml) : xml_(xml) {}

    std::string run() {
        if (xml_.starts_with("\xef\xbb\xbf")) at_ = 3;
        if (xml_.starts_with("\xff\xfe") || xml_.starts_with("\xfe\xff")) fail("XML in UTF-8");
        readDeclaration();
        do {
            skipBetween();
            if (!take("</")) {
                readElement();
            } else if (open_.empty()) {
                fail("an element");
            } else {
                close(readName());
                requireEnd();
            }
        } while (!open_.empty());
        skipBetween();
        if (at_ != xml_.size()) fail("nothing after the outermost element");
        return std::move(json_);
    }

private:
    enum Attribute : std::size_t { Key, Escaped, EscapedKey, Namespace, Count };
    using Attributes = std::array<std::optional<std::string>, Count>;
    static constexpr std::array<std::string_view, Count> attributeNames{"key", "escaped", "escaped-key", "xmlns"};

    [[noreturn]] void failAt(std::size_t place, const std::string& expected) const {
        const std::string_view rest = xml_.substr(std::min(place, xml_.size()), 40);
        failReading(fmt::format("expected {}, found {} at byte {} of the XML", expected, rest.empty() ? "the end" : startOf(rest), place));
    }
    [[noreturn]] void fail(const std::string& expected) const { failAt(at_, expected); }

    bool take(std::string_view word) {
        if (!xml_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    /// Returns all before the word, and moves behind it.
    std::string_view readUntil(std::string_view word, const char* what) {
        const std::size_t end = xml_.find(word, at_);
        if (end == xml_.npos) fail(fmt::format("{} that ends with {}", what, word));
        const std::string_view found = xml_.substr(at_, end - at_);
        at_ = end + word.size();
        return found;
    }
    bool skipBlanks() {
        const std::size_t before = at_;
        at_ = std::min(xml_.find_first_not_of(blanks, at_), xml_.size());
        return at_ != before;
    }
    bool skipComment() {
        if (take("<!--"))
            readUntil("-->", "a comment");
        else if (take("<?"))
            readUntil("?>", "an instruction");
        else
            return false;
        return true;
    }
    void skipBetween() {
        while (skipBlanks() || skipComment()) {}
        if (xml_.substr(at_).starts_with("<!DOCTYPE")) fail("no document type");
    }
    void readDeclaration() {
        skipBlanks();
        if (!xml_.substr(at_).starts_with("<?xml") || xml_.substr(at_).find_first_of(blanks) != 5) return;
        const std::size_t begin = at_;
        std::string text(readUntil("?>", "a declaration"));
        std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
        const std::size_t encoding = text.find("encoding");
        if (encoding == text.npos) return;
        const std::size_t name = text.find_first_not_of(" \t\r\n=\"'", encoding + 8);
        const std::string_view named = std::string_view(text).substr(std::min(name, text.size()));
        if (!named.starts_with("utf-8") && !named.starts_with("us-ascii")) failAt(begin + encoding, "XML in UTF-8");
    }
    std::string_view readName() {
        const std::size_t begin = at_;
        while (at_ < xml_.size() && isNameByte(xml_[at_])) ++at_;
        return xml_.substr(begin, at_ - begin);
    }
    void requireEnd() {
        skipBlanks();
        if (!take(">")) fail("> at the end of a tag");
    }

    /// Adds the character of a reference such as &lt; or &#10;, behind its &.
    void appendReference(std::string& text) {
        const std::size_t begin = at_ - 1;
        const std::size_t end = xml_.find(';', at_);
        const std::string_view name = end == xml_.npos ? std::string_view() : xml_.substr(at_, end - at_);
        at_ = end == xml_.npos ? at_ : end + 1;
        constexpr std::array<std::pair<std::string_view, char>, 5> known{
            {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}}};
        for (const auto& [word, character] : known) {
            if (name != word) continue;
            text += character;
            return;
        }
        const bool isHexadecimal = name.starts_with("#x");
        const std::string_view digits = name.substr(std::min<std::size_t>(name.size(), isHexadecimal ? 2 : 1));
        std::uint32_t code = 0;
        const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, isHexadecimal ? 16 : 10);
        if (!name.starts_with('#') || digits.empty() || error != std::errc() || last != digits.data() + digits.size() || !isCharacter(code))
            failAt(begin, "one of &lt; &gt; &amp; &quot; &apos; or the number of a character");
        appendUtf8(text, code);
    }
    /// Adds the next character as it stands.
    void appendRaw(std::string& text, bool isAttribute) {
        const char each = xml_[at_];
        if (!isCharacter(static_cast<unsigned char>(each)) || xml_.substr(at_).starts_with("\xef\xbf\xbe") ||
            xml_.substr(at_).starts_with("\xef\xbf\xbf"))
            fail("a character that XML may have");
        ++at_;
        if (each == '\r' && at_ < xml_.size() && xml_[at_] == '\n') ++at_;    // the end of a line is \n in XML
        text += each == '\r' ? (isAttribute ? ' ' : '\n') : isAttribute && (each == '\n' || each == '\t') ? ' ' : each;
    }

    Attributes readAttributes() {
        Attributes attributes;
        const bool isPrefixed = !prefix_.empty();
        while (skipBlanks() && at_ < xml_.size() && isNameByte(xml_[at_])) {
            const std::size_t begin = at_;
            const std::string_view name = readName();
            skipBlanks();
            if (!take("=")) fail("= behind the name of an attribute");
            skipBlanks();
            const char quote = take("\"") ? '"' : take("'") ? '\'' : '\0';
            if (quote == '\0') fail("the value of an attribute in quotation marks");
            std::string value;
            while (at_ < xml_.size() && xml_[at_] != quote && xml_[at_] != '<') {
                if (take("&"))
                    appendReference(value);
                else
                    appendRaw(value, true);
            }
            if (!take(std::string_view(&quote, 1))) fail("a quotation mark at the end of an attribute");
            if (isPrefixed && name.starts_with("xmlns:") && name.substr(6) == prefix_.substr(0, prefix_.size() - 1)) {
                if (value != xpathFunctions) failAt(begin, fmt::format("a prefix for elements of {}", xpathFunctions));
                isBound_ = true;
            }
            if (name.find(':') != name.npos) continue;    // belongs to others
            const auto which =
                static_cast<std::size_t>(std::find(attributeNames.begin(), attributeNames.end(), name) - attributeNames.begin());
            if (which == Count) failAt(begin, "one of the attributes key, escaped, escaped-key and xmlns");
            if (attributes[which]) failAt(begin, "each attribute once");
            attributes[which] = std::move(value);
        }
        if (isPrefixed && !isBound_) fail(fmt::format("an attribute that gives the prefix to {}", xpathFunctions));
        if (!isPrefixed && attributes[Namespace] && *attributes[Namespace] != xpathFunctions)
            fail(fmt::format("elements of {}", xpathFunctions));
        return attributes;
    }

    bool isTrue(const std::optional<std::string>& flag) const {
        if (!flag || *flag == "false" || *flag == "0") return false;
        if (*flag != "true" && *flag != "1") fail("true or false as the value of an attribute");
        return true;
    }

    /// Adds a text in the quotation marks of JSON. isEscaped: the text has backslashes as JSON has them.
    void addQuoted(std::string_view text, bool isEscaped, std::size_t begin) {
        const std::size_t before = json_.size();
        json_ += '"';
        try {
            while (!text.empty()) {
                const std::size_t length = isEscaped ? std::min(text.find('\\'), text.size()) : text.size();
                const std::string quoted = Json(std::string(text.substr(0, length))).dump();
                json_ += std::string_view(quoted).substr(1, quoted.size() - 2);
                json_ += text.substr(length, 2);
                text.remove_prefix(std::min(length + 2, text.size()));
            }
        } catch (const Json::type_error&) {
            failAt(begin, "text in UTF-8");
        }
        json_ += '"';
        if (isEscaped && !Json::accept(json_.begin() + static_cast<std::ptrdiff_t>(before), json_.end()))
            failAt(begin, "a text with the escapes of JSON");
    }

    void readElement() {
        const std::size_t begin = at_;
        if (!take("<")) fail(open_.empty() ? "an element" : "an element or the end of one");
        const std::string_view whole = readName();
        if (json_.empty()) prefix_ = whole.substr(0, whole.find(':') + 1);    // npos + 1 == 0
        const std::string_view name = whole.starts_with(prefix_) ? whole.substr(prefix_.size()) : whole;
        constexpr std::array<std::string_view, 6> names{"map", "array", "string", "number", "boolean", "null"};
        if (std::find(names.begin(), names.end(), name) == names.end() || !whole.starts_with(prefix_))
            failAt(begin, "one of the elements map, array, string, number, boolean and null");
        const Attributes attributes = readAttributes();
        const bool isEmpty = take("/");
        requireEnd();
        const bool isMember = !open_.empty() && open_.back() == '}';
        if (isMember != attributes[Key].has_value())
            failAt(begin, isMember ? "an attribute key within a map" : "no attribute key but in a map");
        if (!json_.empty() && json_.back() != '[' && json_.back() != '{') json_ += ',';
        if (isMember) {
            addQuoted(*attributes[Key], isTrue(attributes[EscapedKey]), begin);
            json_ += ':';
        }
        if (name == "map" || name == "array") {
            json_ += name == "map" ? '{' : '[';
            open_ += name == "map" ? '}' : ']';
            if (isEmpty) close(whole);
        } else {
            addLeaf(name, isEmpty ? std::string() : readContent(name), isTrue(attributes[Escaped]), begin);
        }
    }

    bool isOurs(std::string_view whole, std::string_view name) const {
        return whole.starts_with(prefix_) && whole.substr(prefix_.size()) == name;
    }
    [[noreturn]] void failEnd(std::string_view name) const {
        fail(fmt::format("</{}{}>", prefix_.size() <= 40 ? prefix_ : std::string_view("...:"), name));
    }

    void close(std::string_view name) {
        const std::string_view expected = open_.back() == '}' ? "map" : "array";
        if (!isOurs(name, expected)) failEnd(expected);
        json_ += open_.back();
        open_.pop_back();
    }

    std::string readContent(std::string_view name) {
        std::string content;
        while (!take("</")) {
            if (at_ == xml_.size()) failEnd(name);
            if (take("&")) {
                appendReference(content);
            } else if (take("<![CDATA[")) {
                const std::size_t end = xml_.find("]]>", at_);
                if (end == xml_.npos) fail("CDATA that ends with ]]>");
                while (at_ < end) appendRaw(content, false);
                at_ = end + 3;
            } else if (!skipComment()) {
                if (xml_[at_] == '<') failEnd(name);
                if (xml_.substr(at_, 3) == "]]>") fail("]]&gt; in a text, since ]]> ends CDATA only");
                appendRaw(content, false);
            }
        }
        if (!isOurs(readName(), name)) failEnd(name);
        requireEnd();
        return content;
    }

    void addLeaf(std::string_view name, std::string_view content, bool isEscaped, std::size_t begin) {
        if (name == "string") return addQuoted(content, isEscaped, begin);
        content.remove_prefix(std::min(content.find_first_not_of(blanks), content.size()));
        content = content.substr(0, content.find_last_not_of(blanks) + 1);
        if (name == "null") {
            if (!content.empty()) failAt(begin, "an empty element null");
            json_ += "null";
        } else if (name == "boolean") {
            const bool isSet = content == "true" || content == "1";
            if (!isSet && content != "false" && content != "0") failAt(begin, "true or false in an element boolean");
            json_ += isSet ? "true" : "false";
        } else {
            const bool isNumber = !content.empty() && (content.front() == '-' || (content.front() >= '0' && content.front() <= '9'));
            if (!isNumber || !Json::accept(content)) failAt(begin, "a number as JSON has it, and not beyond the range of a double");
            json_ += content;
        }
    }

    std::string_view xml_;
    std::size_t at_ = 0;
    std::string_view prefix_;    // of all elements, with its colon
    bool isBound_ = false;       // an attribute has said whose the prefix is
    std::string json_;
    std::string open_;    // for each open map and array: how it ends in JSON
};

}    // namespace

std::string jsonOfXml(std::string_view xml) { return XmlScanner(xml).run(); }

}    // namespace ferry::detail
