#include <ferry/apps/timetabling/report/Calendar.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>
#include <ferry/apps/timetabling/io/decodedText.hpp>
#include <ferry/apps/timetabling/report/CalendarFolder.hpp>
#include <ferry/apps/timetabling/report/TimeZone.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace std::chrono_literals;

namespace {

Term autumn() {
    Term term;
    term.firstDay = 2026y / 10 / 5;
    term.weekCount = 15;
    term.begin = 8h + 15min;
    term.period = 60min;
    term.lecture = 45min;
    term.zone = TimeZone("Europe/Rome", "CET-1CEST,M3.5.0,M10.5.0/3");
    return term;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}    // namespace

TEST_CASE("Calendar: an event each week, in the local time of its zone") {
    const std::string text = writeCalendar({"room", "A.1", {{1, 3, "LAW-101", "A.1", "Rossi"}}}, autumn());
    CHECK(text ==
          "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Ferry//timetabling//EN\r\nX-WR-CALNAME:room A.1\r\n"
          "BEGIN:VTIMEZONE\r\nTZID:Europe/Rome\r\n"
          "BEGIN:DAYLIGHT\r\nDTSTART:19700329T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\n"
          "TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nTZNAME:CEST\r\nEND:DAYLIGHT\r\n"
          "BEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n"
          "TZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nTZNAME:CET\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
          "BEGIN:VEVENT\r\nUID:room-A.1-LAW-101-0-20261005@ferry\r\nDTSTAMP:20261005T000000Z\r\n"
          "DTSTART;TZID=Europe/Rome:20261006T111500\r\nDURATION:PT45M\r\nRRULE:FREQ=WEEKLY;COUNT=15\r\n"
          "SUMMARY:LAW-101\r\nLOCATION:A.1\r\nDESCRIPTION:Rossi\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n");
}

TEST_CASE("Calendar: days off are left out, another term has other UIDs, and a calendar that is written again is newer") {
    Term term = autumn();
    term.off = {{std::chrono::sys_days(2026y / 10 / 13), std::chrono::sys_days(2026y / 10 / 20)}};
    term.written = std::chrono::sys_days(2026y / 9 / 1) + 10h + 30min + 5s;
    const Calendar calendar{"room", "A.1", {{1, 3, "LAW-101", "A.1", ""}, {2, 3, "LAW-101", "A.1", ""}}};
    const std::string text = writeCalendar(calendar, term);
    CHECK(has(text, "EXDATE;TZID=Europe/Rome:20261013T111500\r\nEXDATE;TZID=Europe/Rome:20261020T111500\r\nSUMMARY"));
    CHECK(has(text, "EXDATE;TZID=Europe/Rome:20261014T111500\r\nSUMMARY"));
    CHECK(has(text, "DTSTAMP:20260901T103005Z\r\nSEQUENCE:29804310\r\n"));
    CHECK(has(text, "UID:room-A.1-LAW-101-0-20261005@ferry"));
    CHECK(has(text, "UID:room-A.1-LAW-101-1-20261005@ferry"));
    term.firstDay = 2027y / 3 / 1;
    CHECK(has(writeCalendar(calendar, term), "UID:room-A.1-LAW-101-0-20270301@ferry"));
    term.weekCount = 1;
    term.off = {{std::chrono::sys_days(2027y / 3 / 2), std::chrono::sys_days(2027y / 3 / 2)}};
    CHECK_FALSE(has(writeCalendar(calendar, term), "LAW-101-0-"));
}

TEST_CASE("Calendar: long lines are folded between characters, and what has a meaning in the format is escaped") {
    const std::string title =
        "a;b,c\\d " + std::string(60, 'x') + "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC" + std::string(90, 'y') + "\x01";
    std::string text = writeCalendar({"room", "r", {{0, 0, title, "r", ""}}}, autumn());
    std::size_t begin = 0;
    for (std::size_t end = text.find("\r\n"); end != std::string::npos; begin = end + 2, end = text.find("\r\n", begin)) {
        CHECK(end - begin <= 75);
        CHECK((static_cast<unsigned char>(text[begin]) & 0xC0U) != 0x80U);
    }
    CHECK(begin == text.size());
    for (std::size_t fold = text.find("\r\n "); fold != std::string::npos; fold = text.find("\r\n ")) text.erase(fold, 3);
    CHECK(has(text, "SUMMARY:a\\;b\\,c\\\\d " + std::string(60, 'x')));
    CHECK(has(text, "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC" + std::string(90, 'y') + "\r\n"));
}

TEST_CASE("Calendar: no text brings a control character, a line or bytes that are no UTF-8 into the file") {
    std::string every;
    for (int byte = 1; byte < 0x100; ++byte) every += static_cast<char>(byte);
    for (const std::string& name :
         {every, std::string("a\r\nBEGIN:VALARM\r\nb"), std::string("a\rb\nc\td\x7f"), std::string(200, '\x80')}) {
        CAPTURE(name);
        const std::string text = writeCalendar({"room", name, {{0, 0, name, name, name}}}, autumn());
        CHECK(asUtf8(text) == text);
        CHECK(text.find("\nBEGIN:VALARM") == std::string::npos);
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto byte = static_cast<unsigned char>(text[i]);
            if (byte == '\r') CHECK(text[i + 1] == '\n');
            if (byte == '\n') CHECK(text[i - 1] == '\r');
            if (byte != '\r' && byte != '\n') CHECK((byte >= ' ' && byte != 0x7F));
        }
    }
    CHECK(has(writeCalendar({"room", "a\rb\r\nc\nd\te\x7f", {}}, autumn()), "X-WR-CALNAME:room a\\nb\\nc\\nd e\r\n"));
}

TEST_CASE("Calendar: time zones by their rules") {
    CHECK(has(TimeZone::utc().lines(), "BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\n"));
    const std::string newYork = TimeZone("America/New_York", "EST5EDT,M3.2.0,M11.1.0").lines();
    CHECK(has(newYork, "DTSTART:19700308T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\r\nTZOFFSETFROM:-0500\r\nTZOFFSETTO:-0400\r\n"));
    CHECK(has(TimeZone("Asia/Kolkata", "IST-5:30").lines(), "TZOFFSETTO:+0530\r\n"));
    CHECK(has(TimeZone("America/Sao_Paulo", "<-03>3").lines(), "TZOFFSETTO:-0300\r\nTZNAME:-03\r\n"));
    for (const char* rule : {"", "CET", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,J60,J300", "CET-1CEST,M3.5.0,M10.5.0x",
                             "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "CET-99999999999999999999"}) {
        CAPTURE(rule);
        CHECK_THROWS_AS(TimeZone("Here", rule), InputError);
    }
    for (const char* name : {"", "Europe", "Europe/Nowhere", "/etc/passwd", "../../../etc/passwd", "Europe/Rome\n"}) {
        CAPTURE(name);
        CHECK_THROWS_AS(TimeZone::named(name), InputError);
    }
}

TEST_CASE("Calendar: files have plain names, different ones for different calendars") {
    const std::string path = test::temporaryPath("calendars/of/autumn");
    const std::vector<CalendarEvent> events{{0, 0, "c", "r", "t"}};
    CalendarFolder(path, autumn(), 5, 5)
        .write({{"room", "a b", events}, {"room", "a_b", events}, {"room", "../x", events}, {"room", "a_b-2", events}});
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path)) names.insert(entry.path().filename().string());
    CHECK(names == std::set<std::string>{"room-a_b.ics", "room-a_b-2.ics", "room-.._x.ics", "room-a_b-2-2.ics"});
}

TEST_CASE("Calendar: a folder that cannot be had, and a day that is too long, are refused before the work") {
    const std::string file = test::temporaryPath("file");
    std::ofstream(file) << "text";
    CHECK_THROWS_AS(CalendarFolder(file, autumn(), 5, 5), InputError);
    CHECK_THROWS_AS(CalendarFolder(file + "/below", autumn(), 5, 5), InputError);
    CHECK_THROWS_AS(CalendarFolder(test::temporaryPath("long"), autumn(), 5, 16), InputError);
    Term overlapping = autumn();
    overlapping.lecture = 61min;
    CHECK_THROWS_AS(CalendarFolder(test::temporaryPath("overlapping"), overlapping, 5, 5), InputError);
}

TEST_CASE("Calendar: periods that have a begin begin then, also where ends are not given") {
    Term term = autumn();
    term.begin = 8h;
    term.lecture.reset();
    term.names.periods = {{"1st", 495, 540}, {"2nd", 555, -1}, {"3rd", 615, -1}};
    const auto eventIn = [&](int period) {
        return writeCalendar({"room", "r", {{0, period, "ALG", "r", ""}}}, termOf(term, 5, term.names));
    };
    CHECK(has(eventIn(0), ":20261005T081500\r\nDURATION:PT45M\r\n"));
    CHECK(has(eventIn(1), ":20261005T091500\r\nDURATION:PT60M\r\n"));    // until the next one begins
    CHECK(has(eventIn(2), ":20261005T101500\r\nDURATION:PT60M\r\n"));    // a period
    term.lecture = 50min;
    CHECK(has(eventIn(0), "DURATION:PT45M\r\n"));
    CHECK(has(eventIn(1), "DURATION:PT50M\r\n"));
    CHECK(has(eventIn(2), "DURATION:PT50M\r\n"));
    const auto refusalOf = [&](const Term& refused) {
        try {
            CalendarFolder("calendars", refused, 5, 3, refused.names);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    term.lecture = 61min;
    CHECK(refusalOf(term) ==
          "calendars: a lecture of 61 minutes in period '2nd' does not end by 10:15; give the period an end in periods.csv, or another "
          "--lecture");
    term.lecture = 50min;
    term.names.periods[2].begin = 23 * 60 + 30;
    CHECK(has(refusalOf(term), "in period '3rd' does not end by 24:00"));
    term.names.periods[1].begin = -1;
    CHECK(refusalOf(term) ==
          "calendars: expected a begin of each period, found none of '2nd' and one of others; give '2nd' a begin in periods.csv");
}

TEST_CASE("CSV: cells are quoted where they need it") {
    CHECK(csvLine({"a", "b c", "", "d,e", "f\"g"}) == "a,b c,,\"d,e\",\"f\"\"g\"\r\n");
    CHECK(csvLine({}) == "\r\n");
}

TEST_CASE("Calendar: a timetable of more than a week is repeated when it is over") {
    Term term = autumn();
    term.weekCount = 3;
    term.weeksOfTimetable = 2;
    CHECK(has(writeCalendar({"room", "r", {{9, 0, "LAW-101", "r", ""}}}, term), "RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=3\r\n"));
}

TEST_CASE("CalendarFolder: ten days are two weeks, and seven are one") {
    for (const auto& [dayCount, interval] : {std::pair(10, "INTERVAL=2;"), std::pair(7, ""), std::pair(14, "INTERVAL=2;")}) {
        const std::string path = test::temporaryPath("days");
        CalendarFolder(path, autumn(), dayCount, 5).write({{"room", "r", {{1, 0, "LAW-101", "r", ""}}}});
        std::ifstream file(path + "/room-r.ics");
        const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        CHECK(has(text, std::string("RRULE:FREQ=WEEKLY;") + interval + "COUNT=15"));
    }
}
