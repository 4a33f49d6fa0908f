#include <ferry/serialization/json/JsonTree.hpp>

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/serialization/ints/fail.hpp>
#include <ferry/serialization/json/JsonWriter.hpp>

namespace ferry::detail {

namespace {

using Json = nlohmann::json;

const Json& jsonAt(const void* value) noexcept { return *static_cast<const Json*>(value); }

/// The beginning of a text that the sender of the JSON has chosen, for an error. A text in UTF-8 is not cut within a character.
std::string shortened(std::string text) {
    constexpr std::size_t mostBytes = 100;
    if (text.size() <= mostBytes) return text;
    std::size_t end = mostBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    text.resize(end);
    return text + " ...";
}

std::string inWords(const Json& value) { return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace)); }

std::string kindInWords(const Json& value) {
    return value.is_array() || value.is_object() ? std::string("an ") + value.type_name() : inWords(value);
}

}    // namespace

JsonNode::JsonNode(const void* value, int depth) : value_(value), depth_(depth) {
    if (depth > JsonWriter::maxDepth) failReading(fmt::format("expected values nested at most {} deep, found more", JsonWriter::maxDepth));
}

void JsonNode::failKind(const char* expected) const {
    failReading(fmt::format("expected {}, found {}", expected, kindInWords(jsonAt(value_))));
}

bool JsonNode::isNull() const noexcept { return jsonAt(value_).is_null(); }

bool JsonNode::readBool() const {
    const Json& value = jsonAt(value_);
    if (!value.is_boolean()) failKind("true or false");
    return value.get<bool>();
}

long long JsonNode::readInteger(long long least, long long most) const {
    const Json& value = jsonAt(value_);
    if (!value.is_number_integer()) failKind("an integer");
    const bool isTooLarge = value.is_number_unsigned() && value.get<unsigned long long>() > static_cast<unsigned long long>(most);
    if (isTooLarge || value.get<long long>() < least || value.get<long long>() > most)
        failReading(fmt::format("expected an integer from {} to {}, found {}", least, most, inWords(value)));
    return value.get<long long>();
}

unsigned long long JsonNode::readUnsigned(unsigned long long most) const {
    const Json& value = jsonAt(value_);
    if (!value.is_number_integer()) failKind("an integer");
    if (!value.is_number_unsigned() || value.get<unsigned long long>() > most)
        failReading(fmt::format("expected an integer from 0 to {}, found {}", most, inWords(value)));
    return value.get<unsigned long long>();
}

double JsonNode::readReal() const {
    const Json& value = jsonAt(value_);
    if (value.is_string()) {    // value == "nan" would allocate in a function that may not throw
        const auto& text = value.get_ref<const std::string&>();
        if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
        if (text == "inf") return std::numeric_limits<double>::infinity();
        if (text == "-inf") return -std::numeric_limits<double>::infinity();
    }
    if (!value.is_number()) failKind("a number");
    return value.get<double>();
}

std::string JsonNode::readText() const {
    const Json& value = jsonAt(value_);
    if (!value.is_string()) failKind("a text");
    return value.get<std::string>();
}

std::size_t JsonNode::elementCount() const {
    if (!jsonAt(value_).is_array()) failKind("an array");
    return jsonAt(value_).size();
}

JsonNode JsonNode::element(std::size_t index) const { return {&jsonAt(value_)[index], depth_ + 1}; }

void JsonNode::requireElements(std::size_t count) const {
    if (elementCount() != count) failReading(fmt::format("expected an array of {} values, found {}", count, elementCount()));
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const {
    if (!jsonAt(value_).is_object()) failKind("an object");
    std::vector<std::pair<std::string, JsonNode>> members;
    for (const auto& [name, value] : jsonAt(value_).items()) members.emplace_back(name, JsonNode(&value, depth_ + 1));
    return members;
}

JsonNode JsonNode::member(std::string_view name) const {
    const auto found = jsonAt(value_).find(std::string(name));
    if (found == jsonAt(value_).end()) failReading(fmt::format("expected a member \"{}\", found none", name));
    return {&*found, depth_ + 1};
}

void JsonNode::requireMembers(const std::vector<std::string_view>& names) const {
    if (!jsonAt(value_).is_object()) failKind("an object");
    for (const auto& [name, value] : jsonAt(value_).items()) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            failReading(fmt::format("expected no member \"{}\", which the class does not have", shortened(name)));
    }
}

JsonTree::JsonTree(std::string_view text) {
    std::vector<std::set<std::string>> open;    // the names in each object that has begun and not ended
    const Json::parser_callback_t refuseTwice = [&open](int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) open.emplace_back();
        if (event == Json::parse_event_t::object_end) open.pop_back();
        if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second)
            failReading(fmt::format("expected each member once, found {} again", inWords(parsed)));
        return true;
    };
    try {
        value_ = std::make_shared<Json>(Json::parse(text, refuseTwice));
    } catch (const Json::parse_error& error) {
        failReading(fmt::format("expected JSON, found at byte {}: {}", error.byte, shortened(error.what())));
    } catch (const Json::exception& error) {    // a number that is too large
        failReading(fmt::format("expected JSON: {}", shortened(error.what())));
    }
}

}    // namespace ferry::detail
