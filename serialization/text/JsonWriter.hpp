#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace ferry::detail {

/// Writes one JSON value, without blanks.
///
/// Errors: UsageError for values that are nested deeper than 64 levels, and for texts that are no UTF-8.
class JsonWriter {
public:
    static constexpr int maxDepth = 64;

    void writeNull();
    void writeBool(bool value);
    void writeInteger(long long value);
    void writeUnsigned(unsigned long long value);
    /// Numbers that JSON does not have become the texts "nan", "inf" and "-inf".
    void writeReal(double value);
    void writeText(std::string_view value);
    /// Begins a member of an object. Its value follows.
    void beginMember(std::string_view name);

    /// Writes an array or an object, whose contents write() writes.
    template <class Write>
    void writeBetween(char opening, char closing, const Write& write) {
        open(opening);
        write();
        close(closing);
    }

    /// Counts a level of nesting that has no brackets, such as a pointer.
    class Level {
    public:
        explicit Level(JsonWriter& out);
        ~Level() { --out_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        JsonWriter& out_;
    };

    std::string take() noexcept { return std::move(text_); }

private:
    void separate();
    void open(char bracket);
    void close(char bracket);

    std::string text_;
    int depth_ = 0;
    bool needsComma_ = false;
};

}    // namespace ferry::detail
