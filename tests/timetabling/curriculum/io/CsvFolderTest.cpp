#include <ferry/apps/timetabling/curriculum/io/CsvFolder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/FolderFiles.hpp>
#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/curriculum/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/curriculum/io/csvTables.hpp>
#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/tests/support/Sanitizers.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

std::string folderWith(const std::string& name, const std::vector<NamedText>& tables) {
    const std::string path = test::temporaryPath(name);
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
    for (const auto& [fileName, text] : tables) std::ofstream(std::filesystem::path(path) / fileName, std::ios::binary) << text;
    return path;
}

std::vector<NamedText> smallTables() {
    return {{"week.csv", "name,days,periods\nSmall,2,3\n"},
            {"courses.csv", "course,teacher,lectures,min_days,students\nm,Dr. Rossi,2,1,30\np,Dr. Rossi,1,1,20\nh,Weber,1,1,10\n"},
            {"rooms.csv", "room,seats,building\nA,30,north\nB,20,south\nC,20,north\n"},
            {"curricula.csv", "curriculum,course\nfirst,m\nfirst,h\nsecond,p\n"},
            {"closed.csv", "course,teacher,day,period\n,Dr. Rossi,1,\nh,,0,2\n"},
            {"unsuitable.csv", "course,room\nm,B\n"}};
}

/// Replaces one of the small tables by this text. Returns the error.
std::string refusalWith(const std::string& fileName, const std::string& text) {
    std::vector<NamedText> tables = smallTables();
    for (NamedText& table : tables) {
        if (table.fileName == fileName) table.text = text;
    }
    try {
        readCsvFolder(folderWith("refused", tables));
    } catch (const InputError& error) {
        const std::string what = error.what();
        return what.substr(what.find(fileName));
    }
    return "none";
}

}    // namespace

TEST_CASE("CsvFolder: tables become an instance") {
    const Instance instance = readCsvFolder(folderWith("small", smallTables()));
    CHECK(writeInstance(instance, InstanceFormat::Extended) ==
          "Name: Small\nCourses: 3\nRooms: 3\nDays: 2\nPeriods_per_day: 3\nCurricula: 2\nMin_Max_Daily_Lectures: 0 60\n"
          "UnavailabilityConstraints: 7\nRoomConstraints: 1\n\n"
          "COURSES:\nm Dr. Rossi 2 1 30 0\np Dr. Rossi 1 1 20 0\nh Weber 1 1 10 0\n\nROOMS:\nA 30 0\nB 20 1\nC 20 0\n\n"
          "CURRICULA:\nfirst 2 m h\nsecond 1 p\n\n"
          "UNAVAILABILITY_CONSTRAINTS:\nm 1 0\nm 1 1\nm 1 2\np 1 0\np 1 1\np 1 2\nh 0 2\n\nROOM_CONSTRAINTS:\nm B\n\nEND.\n");
}

TEST_CASE("CsvFolder: only the week, the courses and the rooms are needed") {
    std::vector<NamedText> tables = smallTables();
    tables.resize(3);
    const Instance instance = readCsvFolder(folderWith("least", tables));
    CHECK(instance.courses.size() == 3);
    CHECK(instance.curricula.empty());
    tables.pop_back();
    CHECK_THROWS_AS(readCsvFolder(folderWith("tooFew", tables)), InputError);
}

TEST_CASE("CsvFolder: real instances go there and back, by tables and by the extended format") {
    std::vector<std::string> files = test::realInstanceFiles();
    if (ferry::test::isSanitized) files.resize(std::min<std::size_t>(files.size(), 4));
    for (const std::string& file : files) {
        CAPTURE(file);
        const Instance instance = readInstance(file);
        const std::string text = writeInstance(instance, InstanceFormat::Extended);
        CHECK(writeInstance(readInstance(TextFile(file, text)), InstanceFormat::Extended) == text);
        CHECK(writeInstance(readCsvFolder(folderWith("real", writeCsvTables(instance))), InstanceFormat::Extended) == text);
    }
}

TEST_CASE("CsvFolder: what is wrong is told with file, line and column") {
    CHECK(refusalWith("week.csv", "name,days,periods\n") == "week.csv: expected a row below the head, found none");
    CHECK(refusalWith("week.csv", "name,days,periods\na,1,1\nb,1,1\n") == "week.csv:3: column 'name': expected one row, found 'b'");
    CHECK(refusalWith("courses.csv", "course,teacher,lectures,min_days,students\nm,R,2,1,30\nm,R,1,1,20\n") ==
          "courses.csv:3: column 'course': expected each course once, found 'm'");
    CHECK(refusalWith("courses.csv", "course,teacher,lectures,students\nm,,2,30\n") ==
          "courses.csv:2: column 'teacher': expected a value, found nothing; where the teacher is not known yet, write a name for this "
          "course "
          "only, such as 'TBA 1'");
    CHECK(refusalWith("courses.csv", "course,teacher,lectures,students\n")
              .starts_with("courses.csv: expected a row below the head, found none"));
    CHECK(refusalWith("rooms.csv", "room,seats\n,\n") == "rooms.csv: expected a row below the head, found none");
    CHECK(refusalWith("courses.csv", "Our faculty\n\n\"course\";Teacher;lectures;students\nm;R;2;30\n") ==
          "courses.csv:1: expected the columns course, teacher, lectures, students and optionally min_days, double, needs, found 'Our "
          "faculty'; line 3 has them, so take the lines above it away");
    CHECK(refusalWith("courses.csv", "Our faculty\ncurse,teacher\nm,R\n").ends_with("found 'Our faculty'"));
    CHECK(refusalWith("curricula.csv", "curriculum,course\nfirst,x\n") ==
          "curricula.csv:2: column 'course': expected a course of this instance, found 'x'");
    CHECK(refusalWith("curricula.csv", "curriculum,course\nfirst,m\nfirst,m\n") ==
          "curricula.csv:3: column 'course': expected each course once in a curriculum, found 'm'");
    CHECK(refusalWith("closed.csv", "course,teacher,day,period\nm,Weber,0,0\n") ==
          "closed.csv:2: column 'course': expected either a course or a teacher, found 'm'");
    CHECK(refusalWith("closed.csv", "teacher,day\nNobody,0\n") ==
          "closed.csv:2: column 'teacher': expected a teacher of this instance, found 'Nobody'");
    CHECK(refusalWith("closed.csv", "course,day,period\nm,2,0\n") ==
          "closed.csv:2: column 'day': expected a whole number from 0 to 1, found '2'");
    CHECK(refusalWith("unsuitable.csv", "course,room\nm,Z\n") ==
          "unsuitable.csv:2: column 'room': expected a room of this instance, found 'Z'");
    // A cell that lists several names.
    CHECK(refusalWith("curricula.csv", "curriculum,course\nfirst,m; p\n") ==
          "curricula.csv:2: column 'course': expected a course of this instance, found 'm; p'; write a row for each");
    CHECK(refusalWith("closed.csv", "teacher,day\nDr. Rossi & Weber,0\n").ends_with("found 'Dr. Rossi & Weber'; write a row for each"));
    CHECK(refusalWith("closed.csv", "teacher,day\nWeber,\"0, 1\"\n").ends_with("found '0, 1'; write a row for each"));
    CHECK(refusalWith("closed.csv", "teacher,day,period\nWeber,0,1/2\n").ends_with("found '1/2'; write a row for each"));
    CHECK(refusalWith("unsuitable.csv", "course,room\nm,07\n").ends_with("found '07'"));
}

TEST_CASE("CsvFolder: a teacher who is not known yet counts as one person, which is told") {
    std::vector<NamedText> tables = smallTables();
    tables[1].text = "course,teacher,lectures,students\nm,N.N.,2,30\np,N.N.,1,20\nh,TBA,1,10\n";
    tables[4].text = "course,day\nh,0\n";
    const Instance instance = readCsvFolder(folderWith("open", tables));
    REQUIRE(instance.notes.size() == 1);
    CHECK(
        instance.notes[0].ends_with("courses.csv: column 'teacher': 'N.N.' counts as one person, so 2 courses are never at the same time; "
                                    "names such as 'N.N. 1' make them several"));
}

TEST_CASE("CsvFolder: a wrong time is told once, and names of periods may be times") {
    std::vector<NamedText> tables = smallTables();
    tables[0].text = "name\nSmall\n";
    tables.push_back({"days.csv", "day\nMonday\nTuesday\n"});
    tables.push_back({"periods.csv", "period,begin\nfirst,0.34375\nsecond,10:00\n"});
    tables[4].text = "course,day,period\nh,Monday,9:15\n";
    try {
        readCsvFolder(folderWith("times", tables));
        CHECK(false);
    } catch (const InputError& error) {
        const std::string what = error.what();
        CHECK(what.find('\n') == std::string::npos);
        CHECK(what.ends_with("expected a time such as 08:15, found '0.34375'; format the column as a time, and save the table again"));
    }
    tables.back().text = "period\n8:15-9:00\n9:15 \u2013 10:00\n";
    const Instance instance = readCsvFolder(folderWith("times", tables));
    CHECK(instance.names.hasTimes());
    CHECK(instance.names.period(1) == "09:15-10:00");
    CHECK(instance.names.findPeriod("9:15-10:00", 2) == 1);
    REQUIRE(instance.unavailabilities.size() == 1);
    CHECK(instance.unavailabilities[0].periodOfDay == 1);
}

namespace csvFolderTest {

Instance readWith(std::vector<NamedText> more) {
    std::vector<NamedText> tables = smallTables();
    for (NamedText& table : more) {
        const auto found = std::find_if(tables.begin(), tables.end(), [&](const NamedText& one) { return one.fileName == table.fileName; });
        if (found == tables.end()) {
            tables.push_back(std::move(table));
        } else {
            found->text = std::move(table.text);
        }
    }
    return readCsvFolder(folderWith("with", tables));
}

/// Returns the error of these tables without the path of the folder.
std::string refusalOf(std::vector<NamedText> more) {
    try {
        readWith(std::move(more));
    } catch (const InputError& error) {
        std::string text = error.what();
        const std::string path = test::temporaryPath("with") + "/";
        for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path)) text.erase(at, path.size());
        return text;
    }
    return "none";
}

std::string notesOf(const Instance& instance) {
    std::string text;
    const std::string path = test::temporaryPath("with");
    for (std::string note : instance.notes) {
        for (std::size_t at = note.find(path); at != std::string::npos; at = note.find(path)) note.replace(at, path.size(), "F");
        text += note + "\n";
    }
    return text;
}

}    // namespace csvFolderTest

TEST_CASE("CsvFolder: everything that is wrong is told at once, with the cure") {
    CHECK(csvFolderTest::refusalOf({{"courses.csv", "course,teacher,lectures,min_days,students\nm,R,0,x,30\nm,R,1,1,20\np,R,1\n"},
                                    {"rooms.csv", "room,seats\nA,many\n"},
                                    {"curriculum.csv", "curriculum,course\n"}}) ==
          "curriculum.csv: expected a table of an instance (week.csv, courses.csv, rooms.csv, curricula.csv, closed.csv, unsuitable.csv, "
          "days.csv, "
          "periods.csv, allowed.csv, teachers.csv, order.csv, enrolments.csv), found 'curriculum.csv'; did you mean 'curricula.csv'?; "
          "rename the file or "
          "take it out of the folder\n"
          "courses.csv:2: column 'lectures': expected a whole number from 1 to 10000, found '0'\n"
          "courses.csv:2: column 'min_days': expected a whole number from 0 to 10000, found 'x'\n"
          "courses.csv:3: column 'course': expected each course once, found 'm'\n"
          "courses.csv:4: expected 5 cells as in the head, found 3\n"
          "rooms.csv:2: column 'seats': expected a whole number from 0 to 1000000, found 'many'");
    CHECK(csvFolderTest::refusalOf(
              {{"courses.csv", "course,teacher,lectures,students\nm,R,2,1\nm,R,y,z\n"}, {"rooms.csv", "room,seats\nA,1\nA,many\n"}}) ==
          "courses.csv:3: column 'course': expected each course once, found 'm'\n"
          "courses.csv:3: column 'lectures': expected a whole number from 1 to 10000, found 'y'\n"
          "courses.csv:3: column 'students': expected a whole number from 0 to 1000000, found 'z'\n"
          "rooms.csv:3: column 'seats': expected a whole number from 0 to 1000000, found 'many'\n"
          "rooms.csv:3: column 'room': expected each room once, found 'A'");
    CHECK(csvFolderTest::refusalOf({{"closed.csv", "course,day,period\nx,y,z\n"}}) ==
          "closed.csv:2: column 'course': expected a course of this instance, found 'x'\n"
          "closed.csv:2: column 'day': expected a whole number from 0 to 1, found 'y'; for names of days, make a table days.csv with a "
          "column 'day'\n"
          "closed.csv:2: column 'period': expected a whole number from 0 to 2, found 'z'; for names and times, make a table periods.csv "
          "with the columns 'period', 'begin', 'end'");
    std::string rows = "course,teacher,lectures,students\n";
    for (int i = 0; i < 5000; ++i) rows += "c,R,x,y\n";
    const std::string many = csvFolderTest::refusalOf({{"courses.csv", rows}});
    CHECK(std::count(many.begin(), many.end(), '\n') == 100);
    CHECK(many.ends_with("\nthe first 100 errors are told; others may follow"));
}

TEST_CASE("CsvFolder: files that are no tables are told, and names of tables may have capitals") {
    std::vector<NamedText> tables = smallTables();
    tables[4].fileName = "Closed.CSV";
    tables.push_back({"notes.pdf", "x"});
    tables.push_back({".hidden", "x"});
    const Instance instance = readCsvFolder(folderWith("with", tables));
    CHECK(instance.unavailabilities.size() == 7);
    CHECK(csvFolderTest::notesOf(instance) == "F: no tables, so left out: notes.pdf\n");
    CHECK(csvFolderTest::refusalOf({{"Rooms.csv", "room,seats\nA,1\n"}}).find("expected each table once, found also") != std::string::npos);
    CHECK(csvFolderTest::refusalOf({{"days.xlsx", "PK"}}).starts_with("days.xlsx: expected a table 'days.csv', found 'days.xlsx'"));
}

TEST_CASE("FolderFiles: what a reader would take for tables beside new ones is told, and nothing else") {
    const std::string path = folderWith("beside", {{"week.csv", ""},
                                                   {"Days.CSV", ""},
                                                   {"periods.txt", ""},
                                                   {"order.xlsx", ""},
                                                   {"other.tsv", ""},
                                                   {"notes.txt", ""},
                                                   {".days.csv", ""}});
    CHECK(tablesBeside(path, {"week.csv", "courses.csv"}) ==
          std::vector<std::string>{"Days.CSV", "order.xlsx", "other.tsv", "periods.txt"});
    CHECK(tablesBeside(path + "/none", {}).empty());
}

TEST_CASE("CsvFolder: days and periods have names and times, in every table") {
    const Instance instance =
        csvFolderTest::readWith({{"week.csv", "name\nSmall\n"},
                                 {"days.csv", "day\nMonday\nTuesday\n"},
                                 {"periods.csv", "period,begin,end\n1st,08:15,09:00\n2nd,9:15,10:00\n,14.00,14.45\n"},
                                 {"closed.csv", "course,teacher,day,period\nh,,monday,9:15\nh,,1,14:00\n,Weber,0,1st\n"}});
    CHECK(instance.dayCount == 2);
    CHECK(instance.periodsPerDay == 3);
    CHECK(instance.names.day(1) == "Tuesday");
    CHECK(instance.names.period(0) == "1st (08:15-09:00)");
    REQUIRE(instance.unavailabilities.size() == 3);
    CHECK(instance.unavailabilities[0].periodOfDay == 1);
    CHECK(instance.unavailabilities[1].day == 1);
    CHECK(instance.unavailabilities[1].periodOfDay == 2);
    CHECK(instance.unavailabilities[2].periodOfDay == 0);
    const Instance again = readCsvFolder(folderWith("again", writeCsvTables(instance)));
    CHECK(again.names == instance.names);
    CHECK(again.unavailabilities.size() == 3);

    CHECK(csvFolderTest::refusalOf({{"closed.csv", "course,day,period\nh,Monday,0\n"}}) ==
          "closed.csv:2: column 'day': expected a whole number from 0 to 1, found 'Monday'; for names of days, make a table days.csv with "
          "a column 'day'");
    CHECK(csvFolderTest::refusalOf({{"days.csv", "day\nMon\nTue\n"}, {"closed.csv", "course,day\nh,Tus\n"}}) ==
          "closed.csv:2: column 'day': expected a day of days.csv, found 'Tus'; did you mean 'Tue'?");
    CHECK(csvFolderTest::refusalOf({{"days.csv", "day\nMon\n"}}) ==
          "week.csv:2: column 'days': expected 1, as days.csv has rows, found '2'; one of the two tables is not whole, or leave 'days' out "
          "here");
    CHECK(csvFolderTest::refusalOf({{"periods.csv", "period,begin,end\na,9:00,8:00\nb,9:30,10:00\nc,9:45,11:00\n"}}) ==
          "periods.csv:2: column 'end': expected a time after 09:00, found '8:00'\n"
          "periods.csv:4: column 'begin': expected a time not before 10:00, the end of the period before, found '9:45'");
}

TEST_CASE("CsvFolder: a span of times closes each period that is in it, at least in part") {
    const auto closedBy = [](const std::string& span, const std::string& periods) {
        const Instance instance =
            csvFolderTest::readWith({{"periods.csv", "period,begin,end\n" + periods},
                                     {"closed.csv", "course,room,day,period\nh,,0," + span + "\n,A,0," + span + "\n"}});
        std::vector<int> closed;
        for (const Unavailability& one : instance.unavailabilities) closed.push_back(one.periodOfDay);
        REQUIRE(instance.roomClosings.size() == closed.size());
        for (std::size_t i = 0; i < closed.size(); ++i) CHECK(instance.roomClosings[i].periodOfDay == closed[i]);
        return closed;
    };
    const std::string times = "1st,08:15,09:00\n2nd,09:15,10:00\n3rd,10:15,11:00\n";
    CHECK(closedBy("08:15-11:00", times) == std::vector<int>{0, 1, 2});
    CHECK(closedBy("08:15-09:00", times) == std::vector<int>{0});
    CHECK(closedBy("9:00 \u2013 10:30", times) == std::vector<int>{1, 2});
    CHECK(closedBy("08:30-08:45", times) == std::vector<int>{0});
    CHECK(closedBy("08:15", times) == std::vector<int>{0});
    // A period without an end lasts until the next one begins. One without times is in the span where its neighbours are.
    CHECK(closedBy("08:30-10:00", "1st,08:15,\n2nd,09:15,\n3rd,10:15,\n") == std::vector<int>{0, 1});
    CHECK(closedBy("08:15-11:00", "1st,08:15,09:00\nBreak,,\n3rd,10:15,11:00\n") == std::vector<int>{0, 1, 2});

    const auto refusal = [](const std::string& span, const std::string& periods) {
        return csvFolderTest::refusalOf(
            {{"periods.csv", "period,begin,end\n" + periods}, {"closed.csv", "course,day,period\nh,0," + span + "\n"}});
    };
    CHECK(refusal("11:00-12:00", times).starts_with("closed.csv:2: column 'period': expected a period of periods.csv, by its name or its"));
    CHECK(refusal("08:15-09:30", "1st,08:15,09:00\nBreak,,\n3rd,10:15,11:00\n") ==
          "closed.csv:2: column 'period': expected times that say which periods they are, found '08:15-09:30'; give 'Break' a begin and an "
          "end in periods.csv, or write a row for each period");
    CHECK(refusal("12:00-13:00", "1st,08:15,\n2nd,09:15,\n3rd,10:15,\n").find("give '3rd' a begin and an end") != std::string::npos);
    CHECK(refusal("0", "1st,08:15,09:00\nBreak,,\n3rd,08:45,11:00\n").find("expected a time not before 09:00") != std::string::npos);
    CHECK(refusal("0", "1st,08:15,\nBreak,,\n3rd,08:15,11:00\n").find("expected a time after 08:15") != std::string::npos);
}

TEST_CASE("CsvFolder: weeks of five days begin on the same day of the calendar") {
    const Instance instance = csvFolderTest::readWith({{"week.csv", "name,days,periods,days_per_week\nTwo,10,4,5\n"}});
    CHECK(instance.names.offsets == std::vector<int>{0, 1, 2, 3, 4, 7, 8, 9, 10, 11});
    CHECK(instance.notes.empty());
    const Instance plain = csvFolderTest::readWith({{"week.csv", "name,days,periods\nTwo,10,4\n"}});
    CHECK(csvFolderTest::notesOf(plain) ==
          "F/week.csv: the 10 days follow each other in calendars, with weekends; days_per_week 5 in week.csv makes weeks of 5 days\n");
}

TEST_CASE("CsvFolder: weeks of five days begin on the same day of the calendar also where days have names") {
    const std::string names = "Monday A\nTuesday A\nWednesday A\nThursday A\nFriday A\nMonday B\nTuesday B\nWednesday B\n";
    const Instance instance = csvFolderTest::readWith({{"week.csv", "periods,days_per_week\n3,5\n"}, {"days.csv", "day\n" + names}});
    CHECK(instance.names.offsets == std::vector<int>{0, 1, 2, 3, 4, 7, 8, 9});
    CHECK(instance.notes.empty());
    CHECK(readCsvFolder(folderWith("again", writeCsvTables(instance))).names == instance.names);
    CHECK(csvFolderTest::notesOf(csvFolderTest::readWith({{"week.csv", "periods\n3\n"}, {"days.csv", "day\n" + names}})) ==
          "F/week.csv: the 8 days follow each other in calendars, with weekends; days_per_week 5 in week.csv makes weeks of 5 days\n");
    CHECK(csvFolderTest::refusalOf({{"week.csv", "periods,days_per_week\n3,5\n"}, {"days.csv", "day,offset\nMonday,0\nTuesday,\n"}}) ==
          "week.csv:2: column 'days_per_week': expected nothing, as the column 'offset' of days.csv says where the days are in calendars, "
          "found '5'; take the number or that column away");
}

TEST_CASE("CsvFolder: more days than the week has are told, as published instances have them") {
    const Instance instance = csvFolderTest::readWith(
        {{"courses.csv", "course,teacher,lectures,min_days,students\nm,Dr. Rossi,2,3,30\np,Dr. Rossi,1,1,20\nh,Weber,1,1,10\n"}});
    CHECK(instance.courses[0].minWorkingDays == 3);
    CHECK(csvFolderTest::notesOf(instance) == "F: min_days 3 of course 'm' is more than the 2 days of the week, so it always costs\n");
}

TEST_CASE("CsvFolder: rooms are closed at times, and have features that courses need") {
    const Instance instance = csvFolderTest::readWith(
        {{"courses.csv", "course,teacher,lectures,students,needs\nm,Dr. Rossi,2,30,\np,Dr. Rossi,1,20,Lab; board\nh,Weber,1,10,board\n"},
         {"rooms.csv", "room,seats,features\nA,30,\nB,20,lab & Board\nC,20,board\n"},
         {"unsuitable.csv", "course,room\n"},
         {"closed.csv", "room,course,day,period\nA,,0,1\nB,,1,\n"}});
    CHECK(instance.roomClosings.size() == 4);
    CHECK(instance.courses[0].minWorkingDays == 1);
    const Problem problem(instance);
    CHECK_FALSE(problem.isRoomOpen(0, 1));
    CHECK(problem.isRoomOpen(0, 2));
    CHECK(problem.openRooms(1) == 2);
    CHECK(problem.openRooms(3) == 2);
    CHECK(problem.openSlotCount() == 14);
    CHECK(problem.isSuitable(0, 0));
    CHECK_FALSE(problem.isSuitable(1, 0));
    CHECK(problem.isSuitable(1, 1));
    CHECK_FALSE(problem.isSuitable(1, 2));
    CHECK(problem.isSuitable(2, 2));
    const Instance again = readCsvFolder(folderWith("again", writeCsvTables(instance)));
    CHECK(again.roomClosings.size() == 4);
    CHECK(again.roomConstraints.size() == instance.roomConstraints.size());
    CHECK(csvFolderTest::refusalOf({{"courses.csv", "course,teacher,lectures,students,needs\nm,R,2,30,pool\np,R,1,1,\nh,Weber,1,1,\n"},
                                    {"closed.csv", "course,day\n"}}) ==
          "courses.csv: course m needs 'pool', which no room of rooms.csv has in its column 'features'");
}

TEST_CASE("CsvFolder: a course has several teachers, and a name that reads like two teachers is refused") {
    const Instance instance =
        csvFolderTest::readWith({{"courses.csv", "course,teacher,lectures,students\nm,Rossi; Weber,2,30\np,Rossi,1,20\nh,Weber,1,10\n"},
                                 {"closed.csv", "teacher,day\nWeber,0\n"}});
    CHECK(teachersText(instance.courses[0]) == "Rossi; Weber");
    const Problem problem(instance);
    CHECK(problem.teachers().size() == 2);
    CHECK(problem.areInConflict(0, 1));
    CHECK(problem.areInConflict(0, 2));
    CHECK_FALSE(problem.areInConflict(1, 2));
    CHECK(instance.unavailabilities.size() == 6);
    CHECK(csvFolderTest::refusalOf(
              {{"courses.csv", "course,teacher,lectures,students\nm,Rossi Dr. Weber,2,30\np,Rossi,1,20\nh,Dr. Weber,1,10\n"},
               {"closed.csv", "course,day\n"}}) ==
          "courses.csv: column 'teacher': 'Rossi Dr. Weber' reads like the teachers 'Rossi' and 'Dr. Weber' together; write 'Rossi; Dr. "
          "Weber' for several "
          "teachers, or give one person another name");
    for (const std::string both : {"Rossi/Weber", "\"Rossi, Weber\"", "Rossi und Weber"}) {
        CHECK_MESSAGE(csvFolderTest::refusalOf(
                          {{"courses.csv", "course,teacher,lectures,students\nm," + both + ",2,30\np,Rossi,1,20\nh,Weber,1,10\n"},
                           {"closed.csv", "course,day\n"}})
                          .ends_with("reads like the teachers 'Rossi' and 'Weber' together; write 'Rossi; Weber' for several teachers, "
                                     "or give one person another name"),
                      both);
    }
    CHECK(csvFolderTest::notesOf(csvFolderTest::readWith(
              {{"courses.csv", "course,teacher,lectures,students\nm,Rossi/Weber,2,30\np,Rossi,1,20\nh,Rossini,1,10\n"},
               {"closed.csv", "course,day\n"}})) ==
          "F/courses.csv: column 'teacher': 'Rossi/Weber' counts as one person, though 'Rossi' is a teacher, too; several teachers have a "
          "';' between them\n");
}

TEST_CASE("CsvFolder: names that differ in capitals only are told, and accents count once") {
    const Instance instance = csvFolderTest::readWith(
        {{"courses.csv", "course,teacher,lectures,students\nm,M\xC3\xBCller,2,30\np,Mu\xCC\x88ller,1,20\nh,M\xC3\x9CLLER,1,10\n"},
         {"closed.csv", "course,day\n"}});
    CHECK(Problem(instance).teachers().size() == 2);
    CHECK(csvFolderTest::notesOf(instance) ==
          "F: teachers 'M\xC3\x9CLLER' and 'M\xC3\xBCller' differ in capitals or blanks only and count as two\n");
    CHECK(csvFolderTest::refusalOf({{"rooms.csv", "room,seats\nA 1,5\nA_1,5\nB,5\n"}})
              .starts_with("rooms.csv: 'A 1' and 'A_1' would have the same name in timetable files"));
}

TEST_CASE("CsvFolder: parts that the formulation does not count are told") {
    Instance instance = csvFolderTest::readWith(
        {{"week.csv", "name,days,periods,max_daily_lectures\nSmall,2,3,1\n"},
         {"courses.csv", "course,teacher,lectures,students,double\nm,Dr. Rossi,2,30,1\np,Dr. Rossi,1,20,0\nh,Weber,1,10,\n"}});
    CHECK(uncountedParts(instance, true) ==
          std::vector<std::string>{
              "unsuitable.csv, allowed.csv and needs of courses.csv: 1 unsuitable room, which UD2 does not count; UD3 and UD4 do",
              "rooms.csv: 2 buildings, which UD2 does not count; UD5 does",
              "courses.csv: 1 course with double lectures, which UD2 does not count; UD4 does",
              "week.csv: 1 limit of daily lectures, which UD2 does not count; UD3 and UD4 and UD5 do"});
    instance.formulation = Formulation::UD4;
    CHECK(uncountedParts(instance, true) == std::vector<std::string>{"rooms.csv: 2 buildings, which UD4 does not count; UD5 does"});
}

TEST_CASE("CsvFolder: each folder of the inputs of others is taken, or refused with a cure") {
    // The inputs are not part of the project. Without them the test looks at nothing.
    const char* data = std::getenv("TIMETABLING_TEST_DATA");
    const std::filesystem::path inputs = data == nullptr ? "" : std::filesystem::path(data).parent_path() / "timetabling-inputs";
    std::error_code error;
    int taken = 0;
    int refused = 0;
    for (const auto& folder : std::filesystem::directory_iterator(inputs, error)) {
        if (!folder.is_directory()) continue;
        CAPTURE(folder.path().string());
        try {
            const Instance instance = readCsvFolder(folder.path().string());
            CHECK_NOTHROW(Problem{instance});
            ++taken;
        } catch (const InputError& refusal) {
            CHECK(std::string(refusal.what()).find(';') != std::string::npos);
            ++refused;
        }
    }
    MESSAGE("taken: ", taken, ", refused: ", refused);
}

TEST_CASE("CsvFolder: damaged tables are read or refused") {
    std::mt19937 random(7);
    const std::string symbols = ",;\"\n\r 0123456789abcx-\xEF\x00";
    int refused = 0;
    for (int round = 0; round < 1000; ++round) {
        std::vector<NamedText> tables = smallTables();
        std::string& text = tables[random() % tables.size()].text;
        for (std::uint32_t change = 1 + random() % 3; change > 0 && !text.empty(); --change) {
            const std::size_t place = random() % text.size();
            switch (random() % 3) {
                case 0: text[place] = symbols[random() % symbols.size()]; break;
                case 1: text.erase(place, 1 + random() % 5); break;
                default: text.insert(place, 1, symbols[random() % symbols.size()]); break;
            }
        }
        try {
            readCsvFolder(folderWith("damaged", tables));
        } catch (const InputError&) {
            ++refused;
        }
    }
    CHECK(refused > 300);
    CHECK(refused < 1000);
}

TEST_CASE("CsvFolder: allowed rooms, limits of teachers, lunch and the order of courses come from tables, and go back into tables") {
    std::vector<NamedText> tables = smallTables();
    tables.push_back({"allowed.csv", "course,room\nm,A\nm,C\nh,B\n"});
    tables.push_back({"teachers.csv", "teacher,max_days,max_daily_lectures,max_in_a_row\nDr. Rossi,1,2,\nWeber,,,1\n"});
    tables.push_back({"order.csv", "before,after\nm,p\nh,p\n"});
    tables.push_back({"periods.csv", "period,lunch\n1st,0\n2nd,1\n3rd,1\n"});
    const Instance instance = readCsvFolder(folderWith("own", tables));
    CHECK(instance.lunchPeriods == std::vector<int>{1, 2});
    REQUIRE(instance.teacherLimits.size() == 2);
    CHECK(instance.teacherLimits[0].mostDays == 1);
    CHECK(instance.teacherLimits[0].mostDaily == 2);
    CHECK(instance.teacherLimits[0].mostInARow == limits::LecturesPerCourse);
    CHECK(instance.teacherLimits[1].mostInARow == 1);
    REQUIRE(instance.orders.size() == 2);
    CHECK(instance.orders[1].before == 2);
    CHECK(instance.orders[1].after == 1);
    const Problem problem([&] {
        Instance strict = instance;
        strict.formulation = Formulation::UD4;
        return strict;
    }());
    CHECK(problem.isSuitable(0, 0));
    CHECK_FALSE(problem.isSuitable(0, 1));
    CHECK(problem.isSuitable(1, 1));
    CHECK_FALSE(problem.isSuitable(2, 0));
    const std::vector<std::string> notes = uncountedParts(instance, true);
    REQUIRE(notes.size() == 5);
    CHECK(notes[0] ==
          "teachers.csv: 2 teachers with limits, which UD2 does not count; a table of --weights with TeacherDays, TeacherLoad or "
          "TeacherRow does");
    CHECK(notes[1] == "periods.csv: 2 periods for lunch, which UD2 does not count; a table of --weights with TeacherLunch does");
    CHECK(notes[2] == "order.csv: 2 orders of courses, which UD2 does not count; a table of --weights with LectureOrder does");
    const Instance again = readCsvFolder(folderWith("ownAgain", writeCsvTables(instance)));
    CHECK(again.lunchPeriods == instance.lunchPeriods);
    CHECK(again.orders.size() == 2);
    CHECK(again.teacherLimits.size() == 2);
    CHECK(again.teacherLimits[0].mostDays == 1);
}

TEST_CASE("CsvFolder: students attend courses by a table, which counts them where courses.csv does not") {
    std::vector<NamedText> tables = smallTables();
    tables[1].text = "course,teacher,lectures,students\nm,Dr. Rossi,2,\np,Dr. Rossi,1,20\nh,Weber,1,\n";
    tables.push_back({"enrolments.csv", "student,course\nAda L.,h\nAda L.,m\nBob,m\nBob,p\nCy,m\n"});
    const Instance instance = readCsvFolder(folderWith("enrolled", tables));
    CHECK(instance.courses[0].studentCount == 3);
    CHECK(instance.courses[1].studentCount == 20);
    CHECK(instance.courses[2].studentCount == 1);
    REQUIRE(instance.students.size() == 3);
    CHECK(instance.students[0].id == "Ada L.");
    CHECK(instance.students[0].courses == std::vector<int>{0, 2});
    const std::vector<std::string> notes = uncountedParts(instance, true);
    CHECK(std::count(notes.begin(), notes.end(),
                     "enrolments.csv: 3 students with courses, which UD2 does not count; a table of --weights with StudentClashes does") ==
          1);
    const Instance again = readCsvFolder(folderWith("enrolledAgain", writeCsvTables(instance)));
    CHECK(again.students.size() == 3);
    CHECK(again.courses[0].studentCount == 3);
    tables[1].text = "course,teacher,lectures\nm,Dr. Rossi,2\np,Dr. Rossi,1\nh,Weber,1\n";
    CHECK(readCsvFolder(folderWith("counted", tables)).courses[1].studentCount == 1);
    tables.pop_back();
    CHECK_THROWS_AS(readCsvFolder(folderWith("uncounted", tables)), InputError);
}

TEST_CASE("CsvFolder: what is wrong in the tables of own rules is told with its place") {
    const auto refusalOf = [](const std::string& fileName, const std::string& text) {
        std::vector<NamedText> tables = smallTables();
        tables.push_back({fileName, text});
        try {
            readCsvFolder(folderWith("refusedOwn", tables));
        } catch (const InputError& error) {
            const std::string what = error.what();
            return what.substr(what.find(fileName));
        }
        return std::string("none");
    };
    CHECK(refusalOf("teachers.csv", "teacher,max_days\nWebber,1\n") ==
          "teachers.csv:2: column 'teacher': expected a teacher of this instance, found 'Webber'; did you mean 'Weber'?");
    CHECK(refusalOf("teachers.csv", "teacher,max_days\nWeber,1\nWeber,2\n").find("expected each teacher once") != std::string::npos);
    CHECK(refusalOf("teachers.csv", "teacher,max_in_a_row\nWeber,0\n").find("found '0'") != std::string::npos);
    CHECK(refusalOf("order.csv", "before,after\nm,q\n").starts_with("order.csv:2: column 'after': expected a course of this instance"));
    CHECK(refusalOf("order.csv", "before,after\nm,m\n").starts_with("order.csv:2: column 'after': expected another course"));
    CHECK(refusalOf("enrolments.csv", "student,course\nAda,m\nAda,m\n").starts_with("enrolments.csv:3: column 'course'"));
    CHECK(refusalOf("enrolments.csv", "student,course\nAda,q\n").starts_with("enrolments.csv:2: column 'course': expected a course"));
    CHECK(refusalOf("allowed.csv", "course,room\nm,Z\n").starts_with("allowed.csv:2: column 'room': expected a room"));
    CHECK(refusalOf("periods.csv", "period,lunch\na,0\nb,2\nc,1\n").starts_with("periods.csv:3: column 'lunch'"));
}
