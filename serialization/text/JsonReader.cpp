#include <ferry/serialization/text/JsonReader.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

namespace {

using Json = nlohmann::json;

enum Kind : unsigned { Null, Bool, Integer, Unsigned, Real, Text, Array, Object };

/// The beginning of a text that the sender of the JSON has chosen, for an error. A text in UTF-8 is not cut within a character.
std::string shortened(std::string_view text) {
    constexpr std::size_t mostBytes = 100;
    if (text.size() <= mostBytes) return std::string(text);
    std::size_t end = mostBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return std::string(text.substr(0, end)) + " ...";
}

/// value is no array and no object: the destructor of those allocates memory.
std::string scalarInWords(const Json& value) { return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace)); }

}    // namespace

std::string startOf(std::string_view text) { return scalarInWords(Json(std::string(text.substr(0, 200)))); }

/// A value of the text. The values lie in the order of the text, so that nothing about their nesting has to be taken apart at the end.
struct JsonReader::Value {
    std::uint64_t kind : 8;
    std::uint64_t size : 56;    // bytes of a text, elements of an array, members of an object
    std::uint64_t payload;      // a number, the place of a text; in an array or object that has not ended: the index of the one around it
};

struct JsonReader::Values {
    std::deque<Value> all;    // grows in blocks: a vector would copy all of them, and have them twice meanwhile
    std::string texts;        // of all values and names
};

/// Notes each value that the parser finds.
struct JsonReader::Taker final : nlohmann::json_sax<Json> {
    static constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();

    Taker(Values& theValues, std::size_t theTextBytes) : values(theValues), textBytes(theTextBytes) {}

    bool add(Kind kind, std::uint64_t size, std::uint64_t payload) {
        if (open != nothing && values.all[open].kind == Array) ++values.all[open].size;
        values.all.push_back({kind, size, payload});
        return true;
    }
    bool addText(const std::string& text) {
        if (values.texts.capacity() < textBytes && !text.empty()) values.texts.reserve(textBytes);
        const std::size_t place = values.texts.size();
        values.texts += text;
        return add(Text, text.size(), place);
    }
    bool begin(Kind kind) {
        add(kind, 0, open);
        open = values.all.size() - 1;
        return true;
    }
    bool end() {
        open = values.all[open].payload;
        return true;
    }

    bool null() override { return add(Null, 0, 0); }
    bool boolean(bool value) override { return add(Bool, 0, value ? 1 : 0); }
    bool number_integer(number_integer_t value) override { return add(Integer, 0, std::bit_cast<std::uint64_t>(value)); }
    bool number_unsigned(number_unsigned_t value) override { return add(Unsigned, 0, value); }
    bool number_float(number_float_t value, const string_t&) override { return add(Real, 0, std::bit_cast<std::uint64_t>(value)); }
    bool string(string_t& value) override { return addText(value); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return begin(Object); }
    bool key(string_t& name) override {
        ++values.all[open].size;
        return addText(name);
    }
    bool end_object() override { return end(); }
    bool start_array(std::size_t) override { return begin(Array); }
    bool end_array() override { return end(); }
    bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override {
        failReading(fmt::format("expected JSON, found at byte {}: {}", byte, shortened(error.what())));
    }

    Values& values;
    const std::size_t textBytes;
    std::uint64_t open = nothing;    // the index of the innermost array or object that has not ended
};

JsonReader::JsonReader(std::string_view text, const ReadLimits& limits)
    : limits_(limits),
      textBytes_(text.size()),
      values_(SoleOwner<Values>::make()) {
    Taker taker(*values_, text.size());
    if (!Json::sax_parse(text, &taker)) failReading("expected JSON");
    if (const std::size_t zero = text.find('\0'); zero != text.npos)    // the parser takes it for the end
        failReading(fmt::format("expected JSON, found a byte 0 at byte {}", zero + 1));
}

JsonReader::~JsonReader() = default;

const JsonReader::Value& JsonReader::next() const { return values_->all[position_]; }

std::string_view JsonReader::textOf(const Value& value) const {
    return std::string_view(values_->texts).substr(static_cast<std::size_t>(value.payload), static_cast<std::size_t>(value.size));
}

std::string JsonReader::inWords(const Value& value) const {
    switch (value.kind) {
        case Null: return "null";
        case Bool: return value.payload != 0 ? "true" : "false";
        case Integer: return fmt::to_string(std::bit_cast<std::int64_t>(value.payload));
        case Unsigned: return fmt::to_string(value.payload);
        case Real: return scalarInWords(Json(std::bit_cast<double>(value.payload)));
        case Text: return startOf(textOf(value));
        case Array: return "an array";
        default: return "an object";
    }
}

void JsonReader::failKind(const char* expected) const { failReading(fmt::format("expected {}, found {}", expected, inWords(next()))); }

bool JsonReader::readNull() {
    if (next().kind != Null) return false;
    ++position_;
    return true;
}

bool JsonReader::readBool() {
    if (next().kind != Bool) failKind("true or false");
    return values_->all[position_++].payload != 0;
}

JsonReader::Value JsonReader::nextInteger() const {
    Value value = next();
    if (value.kind == Real) {
        const auto real = std::bit_cast<double>(value.payload);
        constexpr double mostExact = 9007199254740992;    // 2^53: beyond, the text may have meant a neighbour
        if (!(std::abs(real) <= mostExact) || real != std::trunc(real)) failKind("an integer");
        value = {Integer, 0, std::bit_cast<std::uint64_t>(static_cast<std::int64_t>(real))};
    }
    if (value.kind != Integer && value.kind != Unsigned) failKind("an integer");
    if (value.kind == Integer && std::bit_cast<std::int64_t>(value.payload) >= 0) value.kind = Unsigned;    // such as -0
    return value;
}

long long JsonReader::readInteger(long long least, long long most) {
    const Value value = nextInteger();
    const auto number = std::bit_cast<std::int64_t>(value.payload);
    const bool isTooLarge = value.kind == Unsigned && value.payload > static_cast<unsigned long long>(most);
    if (isTooLarge || number < least || number > most)
        failReading(fmt::format("expected an integer from {} to {}, found {}", least, most, inWords(value)));
    ++position_;
    return number;
}

unsigned long long JsonReader::readUnsigned(unsigned long long most) {
    const Value value = nextInteger();
    if (value.kind == Integer || value.payload > most)
        failReading(fmt::format("expected an integer from 0 to {}, found {}", most, inWords(value)));
    ++position_;
    return value.payload;
}

double JsonReader::readReal() {
    const Value& value = next();
    double number = 0;
    if (value.kind == Real) {
        number = std::bit_cast<double>(value.payload);
    } else if (value.kind == Integer) {
        number = static_cast<double>(std::bit_cast<std::int64_t>(value.payload));
    } else if (value.kind == Unsigned) {
        number = static_cast<double>(value.payload);
    } else {
        const std::string_view text = value.kind == Text ? textOf(value) : std::string_view();
        if (text == "nan")
            number = std::numeric_limits<double>::quiet_NaN();
        else if (text == "inf")
            number = std::numeric_limits<double>::infinity();
        else if (text == "-inf")
            number = -std::numeric_limits<double>::infinity();
        else
            failKind("a number");
    }
    ++position_;
    return number;
}

float JsonReader::readFloat() {
    constexpr double most = std::numeric_limits<float>::max();
    constexpr double roundedUp = 0x1.ffffffp127;    // halfway from the greatest float to the next power of two
    const double number = readReal();
    if (std::isfinite(number) && std::abs(number) >= roundedUp) {
        --position_;
        failKind("a number in the range of a float");
    }
    return static_cast<float>(std::isfinite(number) ? std::clamp(number, -most, most) : number);
}

std::string_view JsonReader::readText() {
    if (next().kind != Text) failKind("a text");
    return textOf(values_->all[position_++]);
}

std::size_t JsonReader::beginArray() {
    if (next().kind != Array) failKind("an array");
    return static_cast<std::size_t>(values_->all[position_++].size);
}

void JsonReader::beginArray(std::size_t count) {
    const std::size_t found = beginArray();
    if (found != count) failReading(fmt::format("expected an array of {} values, found {}", count, found));
}

std::size_t JsonReader::beginObject() {
    if (next().kind != Object) failKind("an object");
    return static_cast<std::size_t>(values_->all[position_++].size);
}

std::size_t JsonReader::readMember(std::span<const std::string_view> names, std::span<bool> isRead) {
    const std::string_view name = readName();
    const auto index = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (index == names.size()) failReading(fmt::format("expected no member \"{}\", which the class does not have", shortened(name)));
    if (isRead[index]) failKeyAgain(name);
    isRead[index] = true;
    return index;
}

void JsonReader::requireMembers(std::span<const std::string_view> names, std::span<const bool> isRead) {
    const auto missing = static_cast<std::size_t>(std::find(isRead.begin(), isRead.end(), false) - isRead.begin());
    if (missing != names.size()) failReading(fmt::format("expected a member \"{}\", found none", names[missing]));
}

void JsonReader::charge(std::size_t count, std::size_t bytesPerElement) {
    elements_ += count;
    bytes_ += std::uint64_t{count} * bytesPerElement;
    if (elements_ > limits_.elements || bytes_ > limits_.bytes) {
        failReading(fmt::format("expected containers of at most {} elements and {} bytes in all, found {} and {}", limits_.elements,
                                limits_.bytes, elements_, bytes_));
    }
    std::uint64_t allowed = 0;
    if (__builtin_mul_overflow(limits_.memoryPerByte, std::uint64_t{textBytes_}, &allowed) ||
        __builtin_add_overflow(allowed, limits_.memoryBase, &allowed) || bytes_ <= allowed) {
        return;
    }
    failReading(
        fmt::format("expected elements and objects that need at most {} bytes of memory ({} for each byte of the JSON, and {} "
                    "more), found {} bytes: give ferry::fromJson a ferry::ReadLimits with a larger memoryPerByte or memoryBase",
                    allowed, limits_.memoryPerByte, limits_.memoryBase, bytes_));
}

JsonReader::Level::Level(JsonReader& in) : in_(in) {
    if (in.depth_ == in.limits_.depth) failReading(fmt::format("expected values nested at most {} deep, found more", in.limits_.depth));
    ++in.depth_;
}

void failKeyAgain(std::string_view key) { failReading(fmt::format("expected each member once, found {} again", startOf(key))); }

void failCrowdedBuckets(const JsonReader&) {
    failReading(
        "expected keys that spread over their hash table, found too many keys in the same buckets, so that reading would take too "
        "long: use a std::map, or another hash");
}

}    // namespace ferry::detail
