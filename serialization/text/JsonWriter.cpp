#include <ferry/serialization/text/JsonWriter.hpp>

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

namespace {

constexpr std::size_t mostShown = 60;    // characters of a text in an error

std::string quoted(std::string_view text) {
    try {
        return nlohmann::json(std::string(text)).dump();
    } catch (const nlohmann::json::type_error&) {
        const std::string shown = nlohmann::json(std::string(text)).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
        failUsage(fmt::format("JSON holds texts in UTF-8, found other bytes in {}: let bytes travel as a std::vector<unsigned char>",
                              shown.size() > mostShown ? shown.substr(0, mostShown) + " ..." : shown));
    }
}

}    // namespace

void JsonWriter::separate() {
    if (std::exchange(needsComma_, true)) text_ += ',';
}

void JsonWriter::writeNull() {
    separate();
    text_ += "null";
}

void JsonWriter::writeBool(bool value) {
    separate();
    text_ += value ? "true" : "false";
}

void JsonWriter::writeInteger(long long value) {
    separate();
    text_ += fmt::to_string(value);
}

void JsonWriter::writeUnsigned(unsigned long long value) {
    separate();
    text_ += fmt::to_string(value);
}

void JsonWriter::writeReal(double value) {
    if (std::isfinite(value)) {
        separate();
        text_ += nlohmann::json(value).dump();
    } else {
        writeText(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    }
}

void JsonWriter::writeText(std::string_view value) {
    separate();
    text_ += quoted(value);
}

void JsonWriter::beginMember(std::string_view name) {
    separate();
    text_ += quoted(name) + ':';
    needsComma_ = false;
}

void JsonWriter::open(char bracket) {
    separate();
    text_ += bracket;
    needsComma_ = false;
}

void JsonWriter::close(char bracket) {
    text_ += bracket;
    needsComma_ = true;
}

JsonWriter::Level::Level(JsonWriter& out) : out_(out) {
    if (out.depth_ == maxDepth) failUsage(fmt::format("JSON for values that are nested deeper than {} levels is refused", maxDepth));
    ++out.depth_;
}

}    // namespace ferry::detail
