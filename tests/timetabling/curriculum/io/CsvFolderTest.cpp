#include <ferry/apps/timetabling/curriculum/io/CsvFolder.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/curriculum/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
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
