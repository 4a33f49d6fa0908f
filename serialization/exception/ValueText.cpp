#include <ferry/serialization/exception/ValueText.hpp>

#include <array>
#include <ctime>
#include <exception>
#include <sstream>

#include <fmt/format.h>

#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/platform/TextAt.hpp>

namespace ferry::detail {

namespace {

constexpr long long microsecondsPerSecond = 1'000'000;

/// Seconds and microseconds since 1970.
struct SplitTime {
    long long seconds = 0;
    long long microseconds = 0;
};

/// Returns nothing if the time is too large, or if the unit is neither a whole number of seconds nor 1/n of a second.
std::optional<SplitTime> split(long long count, long long numerator, long long denominator) {
    SplitTime time;
    if (denominator == 1) {
        if (__builtin_mul_overflow(count, numerator, &time.seconds)) return std::nullopt;
        return time;
    }
    long long parts = 0;
    time.seconds = count / denominator;
    long long rest = count % denominator;
    if (rest < 0) {
        rest += denominator;
        --time.seconds;
    }
    if (numerator != 1 || __builtin_mul_overflow(rest, microsecondsPerSecond, &parts)) return std::nullopt;
    time.microseconds = parts / denominator;
    return time;
}

struct Unit {
    long long numerator;
    long long denominator;
    std::string_view name;
};

constexpr std::array units{
    Unit{1, 1'000'000'000, "ns"}, Unit{1, 1'000'000, "us"}, Unit{1, 1'000, "ms"}, Unit{1, 1, "s"},
    Unit{60, 1, "min"},           Unit{3'600, 1, "h"},      Unit{86'400, 1, "d"},
};

std::string unitName(long long numerator, long long denominator) {
    for (const Unit& unit : units) {
        if (unit.numerator == numerator && unit.denominator == denominator) return std::string(unit.name);
    }
    return denominator == 1 ? fmt::format("[{}]s", numerator) : fmt::format("[{}/{}]s", numerator, denominator);
}

}    // namespace

std::string textOfBool(bool value) { return value ? "true" : "false"; }

std::string textOfCharacter(char value) {
    return value >= ' ' && value <= '~' ? fmt::format("'{}'", value) : fmt::format("{}", static_cast<int>(value));
}

std::string textOfInteger(long long value) { return fmt::format("{}", value); }

std::string textOfUnsigned(unsigned long long value) { return fmt::format("{}", value); }

std::string textOfFloat(double value) { return fmt::format("{}", value); }

std::string textOfString(std::string_view value) {
    constexpr std::size_t MaxShown = 200;
    if (value.size() <= MaxShown) return fmt::format("\"{}\"", printable(value));
    return fmt::format("\"{}...\" ({} characters)", printable(value.substr(0, MaxShown)), value.size());
}

std::string textOfPointer(const volatile void* value) {
    return value == nullptr ? "nullptr" : fmt::format("{}", const_cast<const void*>(value));
}

std::string textOfFormatted(fmt::format_args value) { return printable(fmt::vformat("{}", value)); }

std::string textOfStreamed(const void* value, void (*write)(std::ostream& out, const void* value)) {
    std::ostringstream out;
    write(out, value);
    return printable(out.str());
}

std::string textOfDuration(const std::string& count, long long numerator, long long denominator) {
    return count + unitName(numerator, denominator);
}

std::string textOfTime(long long count, long long numerator, long long denominator) {
    const std::optional<SplitTime> time = split(count, numerator, denominator);
    std::tm parts{};
    const std::time_t seconds = time ? time->seconds : 0;
    if (!time || ::gmtime_r(&seconds, &parts) == nullptr)
        return textOfDuration(textOfInteger(count), numerator, denominator) + " since 1970";
    return fmt::format("{}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", parts.tm_year + 1900LL, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
                       parts.tm_min, parts.tm_sec, time->microseconds);
}

std::string textOfThrowing() {
    try {
        throw;
    } catch (const std::exception& exception) {
        return fmt::format("<the text of its value threw: {}>", printable(textAt(exception.what())));
    } catch (...) {
        return "<the text of its value threw>";
    }
}

}    // namespace ferry::detail
