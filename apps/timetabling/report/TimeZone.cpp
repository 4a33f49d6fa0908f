#include <ferry/apps/timetabling/report/TimeZone.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

namespace {

/// A change to or from summer time. week: the week of a month (5: the last one). day: the day of the week, 0 for Sunday.
struct Change {
    unsigned month = 0;
    unsigned week = 0;
    unsigned day = 0;
    std::chrono::seconds time{std::chrono::hours(2)};
};

/// Reads a POSIX time zone rule from left to right.
class RuleParser {
public:
    RuleParser(const std::string& zone, std::string_view rule) : zone_(zone), rest_(rule) {}

    bool isAtEnd() const { return rest_.empty(); }
    bool isAt(char symbol) const { return !rest_.empty() && rest_.front() == symbol; }

    void expect(char symbol) {
        if (!isAt(symbol)) fail();
        rest_.remove_prefix(1);
    }

    std::string abbreviation() {
        const bool isQuoted = isAt('<');
        if (isQuoted) expect('<');
        std::string name;
        const auto belongs = [isQuoted](char symbol) {
            const auto letter = static_cast<unsigned char>(symbol);
            return std::isalpha(letter) != 0 || (isQuoted && (std::isdigit(letter) != 0 || symbol == '+' || symbol == '-'));
        };
        while (!rest_.empty() && belongs(rest_.front())) {
            name += rest_.front();
            rest_.remove_prefix(1);
        }
        if (isQuoted) expect('>');
        if (name.empty()) fail();
        return name;
    }

    unsigned number(unsigned least, unsigned most) {
        unsigned value = 0;
        std::size_t digits = 0;
        for (; digits < rest_.size() && std::isdigit(static_cast<unsigned char>(rest_[digits])) != 0 && digits < 4; ++digits)
            value = 10 * value + static_cast<unsigned>(rest_[digits] - '0');
        rest_.remove_prefix(digits);
        if (digits == 0 || value < least || value > most) fail();
        return value;
    }

    /// Reads a time: [+-]hh[:mm[:ss]]
    std::chrono::seconds time() {
        const bool isNegative = isAt('-');
        if (isNegative || isAt('+')) rest_.remove_prefix(1);
        std::chrono::seconds time = std::chrono::hours(number(0, 167));
        if (isAt(':')) {
            expect(':');
            time += std::chrono::minutes(number(0, 59));
        }
        if (isAt(':')) {
            expect(':');
            time += std::chrono::seconds(number(0, 59));
        }
        return isNegative ? -time : time;
    }

    Change change() {
        Change change;
        expect(',');
        expect('M');
        change.month = number(1, 12);
        expect('.');
        change.week = number(1, 5);
        expect('.');
        change.day = number(0, 6);
        if (isAt('/')) {
            expect('/');
            change.time = time();
        }
        // A calendar needs a time on the day itself.
        if (change.time < std::chrono::seconds(0) || change.time >= std::chrono::hours(24)) fail();
        return change;
    }

    [[noreturn]] void fail() const { throw InputError(zone_, "this time zone has rules that cannot be stated in a calendar"); }

private:
    const std::string& zone_;
    std::string_view rest_;
};

std::string offsetText(std::chrono::seconds offset) {
    const auto minutes = std::abs(offset.count()) / 60;
    return fmt::format("{}{:02}{:02}", offset.count() < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

/// The first time of the rule: the first matching day of 1970.
std::string firstTime(const Change& change) {
    using namespace std::chrono;
    const weekday day{change.day};
    const month ofYear{change.month};
    const sys_days date = change.week == 5 ? sys_days(1970y / ofYear / day[last]) : sys_days(1970y / ofYear / day[change.week]);
    const year_month_day first(date);
    const hh_mm_ss time(change.time);
    return fmt::format("1970{:02}{:02}T{:02}{:02}{:02}", static_cast<unsigned>(first.month()), static_cast<unsigned>(first.day()),
                       time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::string ruleText(const Change& change) {
    static constexpr std::array<const char*, 7> days{"SU", "MO", "TU", "WE", "TH", "FR", "SA"};
    return fmt::format("RRULE:FREQ=YEARLY;BYMONTH={};BYDAY={}{}\r\n", change.month, change.week == 5 ? -1 : static_cast<int>(change.week),
                       days[change.day]);
}

std::string part(const char* kind, const std::string& begin, const std::string& rule, std::chrono::seconds from, std::chrono::seconds to,
                 const std::string& abbreviation) {
    return fmt::format("BEGIN:{0}\r\nDTSTART:{1}\r\n{2}TZOFFSETFROM:{3}\r\nTZOFFSETTO:{4}\r\nTZNAME:{5}\r\nEND:{0}\r\n", kind, begin, rule,
                       offsetText(from), offsetText(to), abbreviation);
}

std::string partsOf(const std::string& name, const std::string& rule) {
    RuleParser parser(name, rule);
    const std::string usual = parser.abbreviation();
    const std::chrono::seconds usualOffset = -parser.time();    // POSIX offsets are positive to the west
    if (parser.isAtEnd()) return part("STANDARD", "19700101T000000", "", usualOffset, usualOffset, usual);
    const std::string summer = parser.abbreviation();
    const std::chrono::seconds summerOffset = parser.isAt(',') ? usualOffset + std::chrono::hours(1) : -parser.time();
    const Change toSummer = parser.change();
    const Change toUsual = parser.change();
    if (!parser.isAtEnd()) parser.fail();
    return part("DAYLIGHT", firstTime(toSummer), ruleText(toSummer), usualOffset, summerOffset, summer) +
           part("STANDARD", firstTime(toUsual), ruleText(toUsual), summerOffset, usualOffset, usual);
}

bool isZoneName(const std::string& name) {
    constexpr std::size_t mostBytes = 64;
    const auto isPlain = [](char symbol) {
        return std::isalnum(static_cast<unsigned char>(symbol)) != 0 || std::string_view("/_+-").find(symbol) != std::string_view::npos;
    };
    return !name.empty() && name.size() <= mostBytes && name.front() != '/' && std::all_of(name.begin(), name.end(), isPlain);
}

}    // namespace

TimeZone::TimeZone(std::string name, const std::string& rule)
    : name_(std::move(name)),
      lines_(fmt::format("BEGIN:VTIMEZONE\r\nTZID:{}\r\n{}END:VTIMEZONE\r\n", name_, partsOf(name_, rule))) {}

/// Uses the last line of the zone's file. This line is the rule of the zone (RFC 8536).
TimeZone TimeZone::named(const std::string& name) {
    constexpr std::size_t mostBytes = 1U << 20U;
    if (!isZoneName(name)) throw InputError(printable(name), "expected the name of a time zone such as Europe/Rome");
    const std::string path = "/usr/share/zoneinfo/" + name;
    std::string bytes;
    if (std::error_code error; std::filesystem::is_regular_file(path, error)) {
        std::ifstream file(path, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(file), {});
    }
    if (bytes.size() > mostBytes || !bytes.starts_with("TZif") || bytes.back() != '\n')
        throw InputError(name, "there is no such time zone in /usr/share/zoneinfo (package tzdata)");
    bytes.pop_back();
    return TimeZone(name, bytes.substr(bytes.rfind('\n') + 1));
}

}    // namespace timetabling
