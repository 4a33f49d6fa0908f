#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>
#include <ferry/tests/timetabling/support/damaged.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

Instance read(const std::string& text) { return readInstance(TextFile("small.ctt", text)); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

std::string errorOf(const std::string& text) {
    try {
        read(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// Returns the error after one replacement in the small instance.
std::string errorAfter(const std::string& from, const std::string& to) { return errorOf(replaced(test::SmallInstanceText, from, to)); }

/// Returns the small instance in the extended format.
std::string extendedText() {
    std::string text = replaced(test::SmallInstanceText, "Constraints: 6",
                                "Min_Max_Daily_Lectures: 1 3\nUnavailabilityConstraints: 6\nRoomConstraints: 1");
    text = replaced(text, "Ada 3 3 30", "Ada 3 3 30 1");
    text = replaced(text, "Small 32\nLarge 50", "Small 32 hill\nLarge 50 lake");
    return replaced(text, "END.", "ROOM_CONSTRAINTS:\nAlgebra Small\n\nEND.");
}

}    // namespace

TEST_CASE("InstanceReader: reads what InstanceWriter writes") {
    const Instance instance = read(test::SmallInstanceText);
    CHECK(instance.name == "Small");
    CHECK(instance.courses[2].teacher == "Cat");
    CHECK(instance.courses[2].lectureCount == 5);
    CHECK(instance.curricula[0].courses == std::vector<int>{0, 1, 2});
    CHECK(instance.unavailabilities.size() == 6);
    CHECK(writeInstance(instance) == test::SmallInstanceText);
}

TEST_CASE("InstanceReader: tabs, blanks, blank lines, CRLF, a byte order mark and the order of headers and sections do not matter") {
    std::string text = test::SmallInstanceText;
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 4) text.replace(at, 1, " \t\r\n");
    for (std::size_t at = 0; (at = text.find(' ', at)) != std::string::npos; at += 2) text.replace(at, 1, "\t ");
    CHECK(writeInstance(read(text)) == test::SmallInstanceText);

    std::string turned = replaced(test::SmallInstanceText, "Days: 5\n", "");
    turned = "Days : 5\n" + replaced(turned, "ROOMS:\nSmall 32\nLarge 50\n", "");
    turned = replaced(turned, "END.", "ROOMS:\nSmall 32\nLarge 50\n\nEND.");
    CHECK(writeInstance(read(turned)) == test::SmallInstanceText);

    const std::string path = test::temporaryPath("mark.ctt");
    {
        const std::string marked = std::string("\xEF\xBB\xBF") + test::SmallInstanceText;
        std::FILE* file = std::fopen(path.c_str(), "wb");
        REQUIRE(file != nullptr);
        std::fwrite(marked.data(), 1, marked.size(), file);
        std::fclose(file);
    }
    CHECK(writeInstance(readInstance(path)) == test::SmallInstanceText);
}

TEST_CASE("InstanceReader: the extended format is read with its extra fields") {
    const std::string text = extendedText();
    const Instance instance = read(text);
    CHECK(writeInstance(instance) == test::SmallInstanceText);
    CHECK(instance.minDailyLectures == 1);
    CHECK(instance.maxDailyLectures == 3);
    CHECK(instance.courses[0].wantsDoubleLectures);
    CHECK_FALSE(instance.courses[1].wantsDoubleLectures);
    CHECK(instance.rooms[0].building == 0);
    CHECK(instance.rooms[1].building == 1);
    CHECK(instance.roomConstraints.size() == 1);
    CHECK_FALSE(Problem(instance).isSuitable(0, 0));
    CHECK(Problem(instance).isSuitable(0, 1));
    CHECK(errorOf(replaced(text, "Algebra Small\n", "Algebra Huge\n")) == "small.ctt:34: expected a room of this instance, found 'Huge'");
}

TEST_CASE("InstanceReader: an error names file, line, what was expected and what was found") {
    CHECK(errorAfter("Science 3 Algebra", "Science 3 Alchemy") == "small.ctt:20: expected a course of this instance, found 'Alchemy'");
    CHECK(errorAfter("Botany Ben 3 2 42", "Botany Ben 3 2 -42") ==
          "small.ctt:11: expected a number of students from 0 to 1000000, found '-42'");
    CHECK(errorAfter("Botany Ben 3 2 42", "Botany Ben 3 2") ==
          "small.ctt:11: expected 'course teacher lectures minWorkingDays students', found 'Botany Ben 3 2'");
    CHECK(errorAfter("Botany Ben 3", "Botany Ben 3x") == "small.ctt:11: expected a number of lectures from 1 to 10000, found '3x'");
    CHECK(errorAfter("Botany Ben 3", "Botany Ben 99999999999999999999") ==
          "small.ctt:11: expected a number of lectures from 1 to 10000, found '99999999999999999999'");
    CHECK(errorAfter("Botany Ben", "Algebra Ben") == "small.ctt:11: expected each course once, found 'Algebra'");
    CHECK(errorAfter("Large 50", "Small 50") == "small.ctt:17: expected each room once, found 'Small'");
    CHECK(errorAfter("Design 2", "Science 2") == "small.ctt:21: expected each curriculum once, found 'Science'");
    CHECK(errorAfter("Design 2", "Design 3") == "small.ctt:21: expected 3 courses in curriculum Design, found '2'");
    CHECK(errorAfter("Design 2 Chemistry", "Design 2 Drawing") ==
          "small.ctt:21: expected each course once in a curriculum, found 'Drawing'");
    CHECK(errorAfter("Chemistry 3 2", "Chemistry 5 2") == "small.ctt:24: expected a day from 0 to 4, found '5'");
    CHECK(errorAfter("Chemistry 3 2", "Chemistry 3 4") == "small.ctt:24: expected a period of the day from 0 to 3, found '4'");
    CHECK(errorAfter("Chemistry 3 2", "Physics 3 2") == "small.ctt:24: expected a course of this instance, found 'Physics'");
    CHECK(errorAfter("COURSES:\n", "SUBJECTS:\n") == "small.ctt:9: expected the title of a section, found 'SUBJECTS:'");
    CHECK(errorAfter("Rooms: 2", "Chairs: 2") == "small.ctt:3: expected a header line such as 'Courses: 30', found 'Chairs: 2'");
}

TEST_CASE("InstanceReader: headers that are missing, wrong, repeated or absurd are refused") {
    CHECK(errorAfter("Days: 5\n", "") == "small.ctt:30: expected a header 'Days:', found none");
    CHECK(errorAfter("Rooms: 2\n", "") == "small.ctt:30: expected a header with the number of ROOMS, found none");
    CHECK(errorAfter("Courses: 4", "Courses: 5") == "small.ctt:31: expected 5 lines under COURSES: as the header says, found 4");
    CHECK(errorAfter("Courses: 4", "Courses: 2000000000") == "small.ctt:2: expected a count from 0 to 10000, found '2000000000'");
    CHECK(errorAfter("Days: 5", "Days: 0") == "small.ctt:4: expected a number of days from 1 to 366, found '0'");
    CHECK(errorAfter("Periods_per_day: 4", "Periods_per_day: 2147483647") ==
          "small.ctt:5: expected a number of periods per day from 1 to 60, found '2147483647'");
    CHECK(errorAfter("Days: 5", "Days: 5\nDays: 5") == "small.ctt:5: expected each header once, found 'Days: 5'");
    CHECK(errorAfter("ROOMS:", "COURSES:") == "small.ctt:15: expected each section once, found 'COURSES:'");
}

TEST_CASE("InstanceReader: a text that is cut anywhere before its end is refused") {
    const std::string text = test::SmallInstanceText;
    const std::size_t end = text.find("END.") + 4;
    CHECK_NOTHROW(read(text.substr(0, end)));
    for (std::size_t length = 0; length < end; ++length) CHECK_THROWS_AS(read(text.substr(0, length)), InputError);
    CHECK(errorOf(text.substr(0, 200)).find("expected 'END.', found the end of the file: is the file truncated?") != std::string::npos);
}

TEST_CASE("InstanceReader: a damaged byte gives an instance or an error, nothing else") {
    const std::string text = test::SmallInstanceText;
    int readable = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        for (const char symbol : {'\0', '\n', ' ', '9', '-', ':', '\xFF'}) {
            std::string damaged = text;
            damaged[at] = symbol;
            try {
                const Problem problem(read(damaged));
                ++readable;
            } catch (const InputError&) {}
        }
    }
    CHECK(readable > 0);
}

TEST_CASE(
    "InstanceReader: of a thousand damaged files of each format each is read, and written so that it is the same, or refused in one line") {
    for (const std::string& good : {std::string(test::SmallInstanceText), extendedText()}) {
        Random random(11);
        int refused = 0;
        for (int i = 0; i < 1000; ++i) {
            const std::string text = test::damaged(good, random);
            CAPTURE(text);
            try {
                const Problem problem(read(text));
                const std::string written = writeInstance(problem.instance());
                CHECK(writeInstance(read(written)) == written);
            } catch (const InputError& error) {
                ++refused;
                CHECK(std::string(error.what()).find('\n') == std::string::npos);
            }
        }
        CHECK(refused > 500);
        CHECK(refused < 1000);
    }
}

TEST_CASE("InstanceReader: directories, missing files and files larger than the limit are refused") {
    const auto errorOfFile = [](const std::string& path) {
        try {
            readInstance(path);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    const std::string folder = test::temporaryPath("folder");
    std::filesystem::create_directory(folder);
    CHECK(errorOfFile(folder) == folder + ": expected a file, found a directory");
    const std::string missing = test::temporaryPath("missing.ctt");
    CHECK(errorOfFile(missing) == missing + ": cannot be opened: No such file or directory");
    CHECK(errorOfFile("/dev/zero") == "/dev/zero: expected at most 64 MiB, found more");
}

TEST_CASE("InstanceReader: the text of an error holds nothing that is not printable") {
    const std::string text = errorAfter("Botany Ben 3", std::string("Botany Ben \x1b[31m") + std::string(500, 'x'));
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.size() < 400);
}

TEST_CASE("InstanceReader: reads every real instance that is there") {
    for (const std::string& file : test::realInstanceFiles()) {
        CAPTURE(file);
        CHECK_NOTHROW(Problem{readInstance(file)});
    }
}
