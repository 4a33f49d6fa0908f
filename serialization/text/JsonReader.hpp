#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <ferry/serialization/ints/ReadLimits.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>

namespace ferry::detail {

/// Reads the values of a text of JSON, one after the other. Safe on any input.
///
/// Ownership: borrows the limits. Errors: SerializationError for a value of another kind than the expected one.
class JsonReader {
public:
    /// Takes the whole text apart. Errors: SerializationError for a text that is no JSON.
    JsonReader(std::string_view text, const ReadLimits& limits);
    ~JsonReader();
    JsonReader(const JsonReader&) = delete;
    JsonReader& operator=(const JsonReader&) = delete;

    /// Whether the next value is null. Moves past a null only.
    bool readNull();
    bool readBool();
    /// Errors: SerializationError also for a number that is not between these two.
    long long readInteger(long long least, long long most);
    unsigned long long readUnsigned(unsigned long long most);
    double readReal();
    /// Errors: SerializationError also for a number that is neither infinite nor in the range of a float.
    float readFloat();
    /// The text stays valid as long as the reader.
    std::string_view readText();

    /// Moves to the first element of an array, and returns their number. The elements are to be read, all of them.
    std::size_t beginArray();
    /// Errors: SerializationError for another number of elements.
    void beginArray(std::size_t count);

    /// Moves to the first member of an object, and returns their number. Each member is a name and then a value.
    std::size_t beginObject();
    std::string_view readName() { return readText(); }
    /// Reads the name of a member, and returns its index among these names. isRead: for each name whether it was met; is updated.
    /// Errors: SerializationError for a name that is none of these, and for one that was met.
    std::size_t readMember(std::span<const std::string_view> names, std::span<bool> isRead);
    /// Errors: SerializationError when a name was not met.
    static void requireMembers(std::span<const std::string_view> names, std::span<const bool> isRead);

    /// Adds elements or objects that are about to be made to the totals. Errors: SerializationError when a total exceeds its limit.
    void charge(std::size_t count, std::size_t bytesPerElement);

    /// Counts a level of nesting during its lifetime. Errors: SerializationError when there are more than the limit.
    class Level {
    public:
        explicit Level(JsonReader& in);
        ~Level() { --in_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        JsonReader& in_;
    };

private:
    struct Values;
    struct Value;
    struct Taker;

    const Value& next() const;
    std::string_view textOf(const Value& value) const;
    std::string inWords(const Value& value) const;
    /// The next value, which is an integer. A real without a fraction, such as 1e3, becomes one. Errors: SerializationError for others.
    Value nextInteger() const;
    [[noreturn]] void failKind(const char* expected) const;

    const ReadLimits& limits_;
    const std::size_t textBytes_;
    const SoleOwner<Values> values_;
    std::size_t position_ = 0;    // the index of the next value
    std::size_t depth_ = 0;
    std::uint64_t elements_ = 0;
    std::uint64_t bytes_ = 0;
};

/// The beginning of a text that others have chosen, in quotation marks, for an error.
std::string startOf(std::string_view text);

[[noreturn]] void failKeyAgain(std::string_view key);
[[noreturn]] void failCrowdedBuckets(const JsonReader& in);

}    // namespace ferry::detail
